import type { ByteSource } from "../../io/source.ts";
import { CHARACTER_CLASS, isDigit, latin1Bytes, REGULAR, WHITE_SPACE } from "../syntax/characters.ts";
import { Lexer } from "../syntax/lexer.ts";
import { PdfDict, type PdfObject, PdfRef } from "../syntax/objects.ts";
import { isKeyword, MalformedObject, parseObject } from "../syntax/parser.ts";
import { CrossReference, OBJECT_NUMBER_LIMIT } from "./cross-reference.ts";
import { endstreamAfter, UnmeasuredStreams } from "./unmeasured-streams.ts";
import type { WorkBudget, WorkMeter } from "./work-budget.ts";

const CHUNK = 1 << 20;
/** The longest "8388607 65535 obj", with extra white space. */
const HEADER_LENGTH = 64;
/** The bytes that are read to find the type of an object. */
const PEEK = 4096;
/** The most trailers to keep. The last ones count. */
const TRAILERS_KEPT = 64;
const TRAILER = latin1Bytes("trailer");
const END_OF_FILE = latin1Bytes("%%EOF");
const NO_ENDS: ReadonlyMap<number, number> = new Map();

/** The result of a scan over the whole file. */
export interface ScannedFile {
  readonly crossReference: CrossReference;
  /** Trailer dictionaries and those of cross-reference streams, in file order. */
  readonly trailers: readonly PdfDict[];
  /** Object streams, in file order. */
  readonly objectStreams: readonly { readonly num: number; readonly offset: number }[];
  /** Objects that call themselves a catalog, in file order. */
  readonly catalogs: readonly PdfRef[];
  /** The last encryption dictionary. */
  readonly encryption: PdfRef | undefined;
}

/**
 * Rebuilds the cross-reference by a scan over the file. Every "N G obj" counts, and the last one of each number wins. The
 * objects of an attached PDF do not count: skips stream data with a correct length. If other streams have objects in their
 * data, scans again without it.
 */
export function scanForObjects(source: ByteSource, budget: WorkBudget): ScannedFile {
  const streams = new UnmeasuredStreams(source, budget);
  const scanned = scan(source, budget, streams);
  const ends = streams.ends();
  return ends.size > 0 ? scan(source, budget, streams, ends) : scanned;
}

/**
 * Scans a file for objects.
 *
 * @param streams records the streams whose end is not known
 * @param ends the known ends of such streams, by the offset of their data
 */
function scan(
  source: ByteSource,
  budget: WorkBudget,
  streams: UnmeasuredStreams,
  ends = NO_ENDS,
): ScannedFile {
  const crossReference = new CrossReference();
  const trailers: PdfDict[] = [];
  const objectStreams = new Map<number, number>();
  const catalogs = new Map<number, PdfRef>();
  let encryption: PdfRef | undefined;
  let from = 0;
  while (from < source.size) {
    const chunkStart = Math.max(0, from - HEADER_LENGTH);
    const bytes = source.read(chunkStart, from + CHUNK);
    budget.charge("byte", bytes.length);
    const next = chunkStart + bytes.length;
    let resume = next;
    for (let at = from - chunkStart; at < bytes.length; at++) {
      const byte = bytes[at];
      if (byte === 0x6f && bytes[at + 1] === 0x62 && bytes[at + 2] === 0x6a) {
        const header = headerBefore(bytes, at);
        if (!header) continue;
        const offset = chunkStart + header.start;
        crossReference.replace(header.num, { kind: "file", offset, gen: header.gen });
        objectStreams.delete(header.num);
        catalogs.delete(header.num);
        if (encryption?.num === header.num) encryption = undefined;
        streams.addObject(offset);
        const { value, start } = peekObject(source, chunkStart + at + 3, budget);
        if (typeof value === "number") streams.addInteger(header.num, offset, value);
        const dict = value instanceof PdfDict ? value : undefined;
        const end = start && (ends.get(start) ?? endByLength(source, start, dict?.integer("Length")));
        if (start && !end) streams.add(start, dict?.reference("Length")?.num);
        if (dict?.is("Type", "XRef")) keepTrailer(trailers, dict);
        else if (dict?.is("Type", "ObjStm")) objectStreams.set(header.num, offset);
        else if (dict?.is("Type", "Catalog")) catalogs.set(header.num, refTo(header));
        else if (dict && isEncryption(dict)) encryption = refTo(header);
        if (!end) continue;
        at = end - chunkStart - 1;
        if (at >= bytes.length) resume = Math.max(next, end);
      } else if (byte === 0x74 && TRAILER.every((expected, index) => bytes[at + index] === expected)) {
        const { value } = peekObject(source, chunkStart + at + TRAILER.length, budget);
        if (value instanceof PdfDict) keepTrailer(trailers, value);
      } else if (byte === 0x25 && END_OF_FILE.every((expected, index) => bytes[at + index] === expected)) {
        streams.addFileEnd(chunkStart + at + END_OF_FILE.length);
      }
    }
    // The end of this chunk may cut a keyword, so the next chunk starts a few bytes earlier.
    from = resume === next && next < source.size ? Math.max(from + 1, next - TRAILER.length) : resume;
  }
  return {
    crossReference,
    trailers,
    objectStreams: [...objectStreams].map(([num, offset]) => ({ num, offset })),
    catalogs: [...catalogs.values()],
    encryption,
  };
}

/**
 * Generates possible trailers, the best first: the declared one, those that the scan found, newest first, and one for
 * each catalog. Each gets missing entries from the others. Without any trailer, an encryption dictionary shows that the
 * file is encrypted.
 */
export function* trailerCandidates(
  { trailers, catalogs, encryption }: ScannedFile,
  declared: PdfDict,
): Generator<PdfDict> {
  const found = [...(declared.has("Root") ? [declared] : []), ...[...trailers].reverse()];
  const withRoot = found.filter((trailer) => trailer.has("Root"));
  const made = catalogs
    .slice(-64)
    .reverse()
    .map((catalog) => PdfDict.from([["Root", catalog]]));
  for (const trailer of [...withRoot, ...made]) {
    const completed = trailer.clone();
    for (const key of ["Encrypt", "ID", "Info"]) {
      const value = found.find((other) => other.has(key))?.get(key);
      if (!completed.has(key) && value !== undefined) completed.set(key, value);
    }
    if (withRoot.length === 0 && encryption && !completed.has("Encrypt")) {
      completed.set("Encrypt", encryption);
    }
    yield completed;
  }
}

const refTo = ({ num, gen }: { readonly num: number; readonly gen: number }) => new PdfRef(num, gen);

/** Returns whether a dictionary is an encryption dictionary of the standard handler (ISO 32000-2, Tables 20 and 21). */
function isEncryption(dict: PdfDict): boolean {
  return (
    dict.name("Filter") !== undefined &&
    ["V", "R", "P"].every((key) => dict.integer(key) !== undefined) &&
    ["O", "U"].every((key) => dict.string(key) !== undefined)
  );
}

/** Keeps the last trailers. A hostile file may have very many. */
function keepTrailer(trailers: PdfDict[], trailer: PdfDict): void {
  if (trailers.length === TRAILERS_KEPT) trailers.shift();
  trailers.push(trailer);
}

/** Reads "N G " backwards from the `obj` at `at`. */
function headerBefore(
  bytes: Uint8Array,
  at: number,
): { num: number; gen: number; start: number } | undefined {
  const follows = bytes[at + 3];
  if (follows !== undefined && CHARACTER_CLASS[follows] === REGULAR && !isDigit(follows)) return undefined;
  const gen = integerBefore(bytes, at);
  if (!gen || gen.end === at) return undefined;
  const num = integerBefore(bytes, gen.start);
  if (!num || num.end === gen.start) return undefined;
  if (num.value > OBJECT_NUMBER_LIMIT || num.value === 0 || gen.value > 65535) return undefined;
  const before = bytes[num.start - 1];
  // "-1 0 obj" and "1.5 0 obj" are no headers, "endobj7 0 obj" contains one.
  if (before === 0x2d || before === 0x2e || before === 0x2b) return undefined;
  if (isCommentedOut(bytes, num.start)) return undefined;
  return { num: num.value, gen: gen.value, start: num.start };
}

/** Returns whether a comment begins right before `start`. A comment further back may have lost its end of line. */
function isCommentedOut(bytes: Uint8Array, start: number): boolean {
  let at = start;
  while (bytes[at - 1] === 0x20 || bytes[at - 1] === 0x09) at--;
  return bytes[at - 1] === 0x25;
}

function integerBefore(
  bytes: Uint8Array,
  at: number,
): { value: number; start: number; end: number } | undefined {
  let end = at;
  while (end > 0 && CHARACTER_CLASS[bytes[end - 1] as number] === WHITE_SPACE) end--;
  let start = end;
  while (start > 0 && end - start < 10 && isDigit(bytes[start - 1])) start--;
  if (start === end) return undefined;
  let value = 0;
  for (let index = start; index < end; index++) value = value * 10 + (bytes[index] as number) - 0x30;
  return { value, start, end };
}

/** Returns an object, if it is short, and the offset after the keyword `stream` if it is one. */
function peekObject(
  source: ByteSource,
  offset: number,
  budget: WorkBudget,
): { value: PdfObject; start: number | undefined } {
  const bytes = source.read(offset, offset + PEEK);
  const lexer = new Lexer(bytes);
  const value = parseObjectOrNull(lexer, budget.repeated);
  budget.charge("byte", lexer.at);
  const isStream = value instanceof PdfDict && isKeyword(lexer.next(), "stream");
  return { value, start: isStream ? offset + lexer.at : undefined };
}

/** Returns the end of stream data if its length is correct. */
function endByLength(source: ByteSource, start: number, length = -1): number | undefined {
  return length < 0 ? undefined : endstreamAfter(source, start + length);
}

function parseObjectOrNull(lexer: Lexer, budget: WorkMeter): PdfObject {
  try {
    return parseObject(lexer, budget);
  } catch (error) {
    if (!(error instanceof MalformedObject)) throw error;
    // The object is too large or too deep. Reading it later throws.
    return null;
  }
}
