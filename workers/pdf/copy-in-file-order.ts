import { ServiceError } from "../../src/shared/errors.ts";
import { BrokenStructure } from "./file/cross-reference.ts";
import { setIdentifier } from "./file/file-identifier.ts";
import { FileWriter } from "./file/file-writer.ts";
import { objectsInFileOrder } from "./file/object-scanner.ts";
import { expectPages } from "./pages/page-tree.ts";
import { type WholeDocument, writeReachable } from "./pages/whole-document.ts";
import { withoutCryptFilter } from "./security/crypt-filter.ts";
import { readData } from "./security/stream-cipher.ts";
import { type PdfObject, PdfStream } from "./syntax/objects.ts";

/** Progress is reported after so many bytes. */
const REPORT_STEP = 1 << 20;
/**
 * With object streams, so many numbers after the highest one are left free. Object streams are copied unread, and
 * dangling references in them mostly name the next numbers.
 */
const NUMBERS_UNSEEN = 1000;

/**
 * Writes a whole document, decrypted if a password has opened it, and encrypted if `encryption` is given. Copies a sound
 * file in file order: objects keep their numbers and stay in their object streams. Of a damaged file, writes the
 * repaired objects that the trailer reaches.
 *
 * @throws {ServiceError} `damaged_file`
 */
export async function copyInFileOrder(task: WholeDocument): Promise<void> {
  const { document, sink } = task;
  expectPages(document);
  if (!document.recovered && document.hasRoomForNumbers) {
    try {
      await writeInFileOrder(task);
      return;
    } catch (error) {
      const isDamaged = error instanceof ServiceError && error.code === "damaged_file";
      if (!(error instanceof BrokenStructure) && !isDamaged) throw error;
      // The damaged object may be unused, so write the reachable ones.
    }
    sink.restart();
  }
  await writeReachable(task);
}

async function writeInFileOrder({
  document,
  sink,
  version,
  encryption,
  report,
}: WholeDocument): Promise<void> {
  const { source, trailer, security, crossReference } = document;
  const highest = document.highestNumber + (document.usesObjectStreams ? NUMBERS_UNSEEN : 0);
  const writer = new FileWriter(source, sink, version, { highest, mayDangle: true, encryption });
  const prefetchFrom = encryption && !security ? sink.encryptor?.from : undefined;
  const resolve = (object: PdfObject | undefined) => document.resolve(object);
  let reported = 0;
  for (const { num, gen, namedGen, value, end } of objectsInFileOrder(document, prefetchFrom)) {
    if (!(value instanceof PdfStream)) {
      writer.object(num, namedGen, security ? security.decryptStrings(value, num, gen) : value);
    } else {
      const { dict, data } = value;
      const own = withoutCryptFilter(security ? security.decryptStrings(dict, num, gen) : dict, resolve);
      const beginning = (length: number) => readData(source, data, 0, length);
      writer.stream(num, namedGen, own, data, security?.streamCipher(dict, num, gen, beginning));
    }
    if (writer.backpressure) await writer.drain();
    const next = source.readAhead?.(end);
    if (next) await next;
    if (end - reported >= REPORT_STEP) {
      reported = end;
      report("working", reported, source.size);
    }
  }
  for (const [num, entry] of crossReference.entries()) {
    if (writer.has(num) || entry.kind === "free") continue;
    if (entry.kind === "file") {
      // Nothing refers to a cross-reference stream. Offset 0 stands for a deleted object, which may be referred to.
      if (entry.offset > 0) writer.spare(num);
    } else if (writer.has(entry.container)) {
      writer.packed(num, entry.container, entry.index);
    } else {
      // A scan may find the stream.
      throw new BrokenStructure(`object stream ${entry.container} is missing`);
    }
  }
  const own = trailer.clone();
  own.delete("Encrypt");
  setIdentifier(own, document);
  // Resolving a stream's entries may meet damage. The objects before were then found by a wrong cross-reference.
  if (document.recovered) throw new BrokenStructure("the cross-reference was rebuilt while copying");
  await writer.end(own);
  report("working", source.size, source.size);
}
