import { ServiceError } from "../../src/shared/errors.ts";
import { BrokenStructure } from "./file/cross-reference.ts";
import { FileWriter } from "./file/file-writer.ts";
import { objectsInFileOrder } from "./file/object-scanner.ts";
import { expectPages } from "./pages/page-tree.ts";
import { type WholeDocument, writeReachable } from "./pages/whole-document.ts";
import { withoutCryptFilter } from "./security/crypt-filter.ts";
import { setIdentifier } from "./security/file-identifier.ts";
import { readData } from "./security/stream-cipher.ts";
import { type PdfObject, PdfStream } from "./syntax/objects.ts";

/** How often progress is told, in bytes. */
const REPORT_STEP = 1 << 20;
/**
 * How many numbers behind the last one are left alone where there are object streams: nobody looks into them, and
 * references in there that lead nowhere name the next numbers, most of them.
 */
const NUMBERS_UNSEEN = 1000;

/**
 * Writes a document whole, decrypted if a password has opened it and encrypted if `encryption` is given. A sound
 * file is gone through in file order, every object keeping its number and what is in object streams staying there;
 * of a damaged one what the trailer reaches is written anew, repaired.
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
      // What is not in its place, or cannot be read, may be nothing that is used.
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
      // Nothing names cross-reference streams and their like, but an entry that leads to the header is a deleted object's.
      if (entry.offset > 0) writer.spare(num);
    } else if (writer.has(entry.container)) {
      writer.packed(num, entry.container, entry.index);
    } else {
      // It may be in the file all the same, where only a scan finds it.
      throw new BrokenStructure(`object stream ${entry.container} is missing`);
    }
  }
  const own = trailer.clone();
  own.delete("Encrypt");
  setIdentifier(own, document);
  // What a stream refers to may lead to damage: what came before it was found by a wrong cross-reference, and what is
  // not in its place was left out from there on.
  if (document.recovered) throw new BrokenStructure("the cross-reference was given up on the way");
  await writer.end(own);
  report("working", source.size, source.size);
}
