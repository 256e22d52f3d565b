import { ServiceError } from "../../src/shared/errors.ts";
import type { WholeDocument } from "./copy/whole-document.ts";
import { BrokenStructure } from "./file/cross-reference.ts";
import type { PdfDocument } from "./file/document.ts";
import { setIdentifier } from "./file/file-identifier.ts";
import { FileWriter } from "./file/file-writer.ts";
import { objectsInFileOrder } from "./file/object-scanner.ts";
import { firstPages } from "./pages/page-tree.ts";
import { withoutCryptFilter } from "./security/crypt-filter.ts";
import { type PdfObject, PdfRef, PdfStream } from "./syntax/objects.ts";
import { mapLeaves } from "./syntax/parts.ts";

/** The bytes of the input between two reports of progress. */
const REPORT_STEP = 1 << 20;
/**
 * With object streams, this many numbers after the highest one are left free. Object streams are copied unread, and
 * dangling references in them mostly name the next numbers.
 */
const NUMBERS_UNSEEN = 1000;

/**
 * Writes a whole document, decrypted if a password has opened it, and encrypted if `encryption` is given. Copies a sound
 * file in file order: objects keep their numbers and stay in their object streams. From a damaged file, writes only the
 * objects that the trailer reaches, repaired. So it does for encryption if objects have generations other than 0, because
 * those would stay readable: object streams cannot hold them.
 *
 * @throws {ServiceError} `damaged_file`
 */
export async function copyInFileOrder(task: WholeDocument): Promise<void> {
  const { document } = task;
  // Throws when the document has no page.
  firstPages(document, 1);
  if (!document.isRebuilt && !(task.encryption && hasLaterGenerations(document))) {
    try {
      await writeInFileOrder(task);
      return;
    } catch (error) {
      const isDamaged = error instanceof ServiceError && error.code === "damaged_file";
      if (!(error instanceof BrokenStructure) && !isDamaged) throw error;
      // The damaged object may be unused, so write the reachable ones.
    }
  }
  // In another file: few documents need it.
  const { writeReachable } = await import("./copy/whole-document.ts");
  await writeReachable(task);
}

async function writeInFileOrder({
  document,
  sink,
  version,
  encryption,
  report,
}: WholeDocument): Promise<void> {
  const { source, trailer, decryptor, crossReference } = document;
  const highest = document.highestNumber + (document.usesObjectStreams ? NUMBERS_UNSEEN : 0);
  const writer = new FileWriter(sink, version, { highest, mayDangle: true, encryption });
  // New objects are written between those of the input, so no reference to a missing object may name one.
  const withoutMissing = <Value extends PdfObject>(value: Value): Value =>
    encryption
      ? mapLeaves(value, (leaf) => (isReferenceAbove(leaf, document.highestNumber) ? null : leaf))
      : value;
  let reported = 0;
  for (const { num, gen, namedGen, value: read, end } of objectsInFileOrder(document)) {
    const value = withoutMissing(read);
    if (!(value instanceof PdfStream)) {
      writer.object(num, namedGen, decryptor ? decryptor.decryptStrings(value, num, gen) : value);
    } else {
      const { dict, data } = value;
      const written = withoutCryptFilter(decryptor ? decryptor.decryptStrings(dict, num, gen) : dict);
      writer.stream(num, namedGen, written, data, decryptor?.streamCipher(value));
    }
    if (writer.backpressure) await writer.drain();
    if (end - reported >= REPORT_STEP) {
      reported = end;
      report("working", reported, source.size);
    }
  }
  for (const [num, entry] of crossReference.entries()) {
    if (writer.has(num) || entry.kind === "free") continue;
    if (entry.kind === "file") {
      // The object was left out, as cross-reference streams are. Nothing refers to it, so its number is free. Offset 0
      // marks a deleted object, which references may still name.
      if (entry.offset > 0) writer.release(num);
    } else if (writer.has(entry.objectStream)) {
      writer.packed(num, entry.objectStream, entry.index);
    } else {
      throw new BrokenStructure(`object stream ${entry.objectStream} is missing`);
    }
  }
  const newTrailer = withoutMissing(trailer).clone();
  newTrailer.delete("Encrypt");
  setIdentifier(newTrailer, document.trailer);
  await writer.end(newTrailer);
  report("working", source.size, source.size);
}

/** Returns whether an object of the file has a generation number other than 0 (ISO 32000-2, 7.3.10). */
function hasLaterGenerations({ crossReference }: PdfDocument): boolean {
  for (const [, entry] of crossReference.entries()) {
    if (entry.kind === "file" && entry.gen !== 0) return true;
  }
  return false;
}

function isReferenceAbove(object: PdfObject, highest: number): boolean {
  return object instanceof PdfRef && object.num > highest;
}
