import type { ByteSink } from "../bytes/sink.ts";
import type { Report } from "../job.ts";
import { integerOf, PdfDict, PdfRef, PdfStream } from "../syntax/objects.ts";
import { BrokenStructure, OBJECT_NUMBER_LIMIT } from "./cross-reference.ts";
import type { PdfDocument } from "./document.ts";
import { FileWriter } from "./file-writer.ts";
import type { IndirectObject } from "./object-reader.ts";
import { SECTION_KEYS } from "./read-cross-reference.ts";

/** How often progress is told, in bytes. */
const REPORT_STEP = 1 << 20;

/**
 * Rewrites a whole file: every object in file order, its number kept, as `write` wants it. Objects in object streams
 * stay in them. What belongs to the old file alone is left out: cross-reference streams, the encryption dictionary,
 * linearization, superseded objects. When an object is not in its place the cross-reference is rebuilt and all
 * begins again.
 *
 * @param finish what to change in the trailer
 */
export async function rewriteFile(
  document: PdfDocument,
  sink: ByteSink,
  version: string,
  write: (writer: FileWriter, object: IndirectObject) => void,
  finish: (writer: FileWriter, trailer: PdfDict) => void,
  report: Report,
): Promise<void> {
  try {
    await rewriteOnce(document, sink, version, write, finish, report);
  } catch (error) {
    if (!(error instanceof BrokenStructure) || document.recovered) throw error;
    document.recover();
    sink.restart();
    await rewriteOnce(document, sink, version, write, finish, report);
  }
}

async function rewriteOnce(
  document: PdfDocument,
  sink: ByteSink,
  version: string,
  write: (writer: FileWriter, object: IndirectObject) => void,
  finish: (writer: FileWriter, trailer: PdfDict) => void,
  report: Report,
): Promise<void> {
  const { source, trailer } = document;
  const size = integerOf(trailer.get("Size")) ?? 0;
  const highest = Math.max(document.crossReference.highest, Math.min(size - 1, OBJECT_NUMBER_LIMIT));
  const writer = new FileWriter(source, sink, version, { highest });
  const containers = containersInUse(document);
  let reported = 0;
  for (const object of objectsInFileOrder(document)) {
    const { value, num } = object;
    if (value instanceof PdfStream && value.dict.is("Type", "ObjStm") && !containers.has(num)) continue;
    write(writer, object);
    if (writer.out.full) await writer.out.room();
    if (object.end - reported >= REPORT_STEP) {
      reported = object.end;
      report("working", reported, source.size);
    }
  }
  for (const [num, entry] of document.crossReference.entries()) {
    if (entry.kind === "packed" && !writer.has(num) && writer.has(entry.container)) {
      writer.packed(num, entry.container, entry.index);
    }
  }
  const own = new PdfDict();
  for (const [key, value] of trailer.entries) if (!SECTION_KEYS.has(key)) own.set(key, value);
  finish(writer, own);
  await writer.end(own);
  report("working", source.size, source.size);
}

function containersInUse({ crossReference }: PdfDocument): ReadonlySet<number> {
  const containers = new Set<number>();
  for (const [, entry] of crossReference.entries()) {
    if (entry.kind === "packed") containers.add(entry.container);
  }
  return containers;
}

/** The objects that stand in the file by themselves, without those that only the old file needs. */
function* objectsInFileOrder(document: PdfDocument): Generator<IndirectObject> {
  const { trailer, source } = document;
  const encrypt = trailer.get("Encrypt");
  const encryptObject = encrypt instanceof PdfRef ? encrypt.num : 0;
  const places: { num: number; offset: number }[] = [];
  for (const [num, entry] of document.crossReference.entries()) {
    // Entries that lead to the header are what some writers leave of deleted objects.
    if (entry.kind === "file" && entry.offset > 0 && num !== encryptObject) {
      places.push({ num, offset: entry.offset });
    }
  }
  places.sort((one, other) => one.offset - other.offset);
  let hintStream = -1;
  for (let index = 0; index < places.length; index++) {
    const { num, offset } = places[index] as { num: number; offset: number };
    if (offset === hintStream) continue;
    const object = document.readAt(num, offset, places[index + 1]?.offset ?? source.size);
    if (!object) continue;
    const { value } = object;
    if (value instanceof PdfStream && value.dict.is("Type", "XRef")) continue;
    if (value instanceof PdfDict && value.has("Linearized") && value.has("L")) {
      const hints = value.get("H");
      hintStream = (Array.isArray(hints) ? integerOf(hints[0]) : undefined) ?? -1;
      continue;
    }
    yield object;
  }
}
