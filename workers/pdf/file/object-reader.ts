import type { ByteSource } from "../../io/source.ts";
import { CHARACTER_CLASS, latin1, latin1Bytes, WHITE_SPACE } from "../syntax/characters.ts";
import { Keyword, Lexer } from "../syntax/lexer.ts";
import { type ObjectSource, PdfDict, type PdfObject, PdfRef, PdfStream } from "../syntax/objects.ts";
import { isKeyword, parseObject } from "../syntax/parser.ts";
import type { WorkMeter } from "./work-budget.ts";

const FIRST_WINDOW = 1024;
/** Objects from this length on are mostly streams. Only their dictionary is read here. */
const LARGE = 1 << 16;
const FIRST_OF_LARGE = 4096;
/** The bytes after the keyword `stream` that determine the start of the data: spaces and the end of line. */
const AFTER_STREAM = 16;
const ENDSTREAM = latin1Bytes("endstream");
/** The end of a stream without a valid `Length`. An `endobj` counts if another object or a trailer follows. */
const STREAM_END = /endstream|endobj(?=\s*(?:\d{1,10}\s+\d{1,5}\s+obj\b|xref\b|trailer\b|startxref\b|%|$))/;

/** An indirect object in the file. */
export interface IndirectObject {
  readonly num: number;
  readonly gen: number;
  readonly value: PdfObject;
  /** The offset where reading stopped. */
  readonly end: number;
  /** Its length in bytes, without a stream's data. */
  readonly parsed: number;
}

/** What objects are read from. */
interface ObjectBytes {
  readonly source: ByteSource;
  /** The file that their references lead to; absent while its cross-reference is not known. */
  readonly objects?: ObjectSource;
  /** Charged with the bytes and the parts of objects. */
  readonly budget: WorkMeter;
  /** Resolves a stream's `Length`, which may be a reference. */
  readonly resolveLength: (length: PdfObject | undefined) => number | undefined;
}

/**
 * Reads the indirect object at `offset`; undefined when there is none.
 *
 * @param expectedEnd the likely start of the next object
 * @throws MalformedObject when it is too large or nests too deep
 */
export function readIndirectObject(
  { source, objects, budget, resolveLength }: ObjectBytes,
  offset: number,
  expectedEnd = offset + FIRST_WINDOW,
): IndirectObject | undefined {
  if (offset < 0 || offset >= source.size) return undefined;
  const expected = expectedEnd - offset;
  let size = expected > LARGE ? FIRST_OF_LARGE : Math.max(64, expected);
  for (;;) {
    const bytes = source.read(offset, offset + size);
    const whole = offset + bytes.length >= source.size;
    const lexer = new Lexer(bytes);
    const num = lexer.next();
    const gen = lexer.next();
    const header = lexer.next();
    if (!whole && lexer.ranOut && size < 256) {
      size = 256;
      continue;
    }
    if (typeof num !== "number" || typeof gen !== "number" || !isKeyword(header, "obj")) return undefined;
    const value = parseWithin(budget, lexer, objects);
    const after = value instanceof PdfDict ? lexer.next() : null;
    if (lexer.ranOut && !whole) {
      size *= 4;
      continue;
    }
    if (value instanceof PdfDict && after instanceof Keyword && after.text === "stream") {
      if (bytes.length - lexer.at < AFTER_STREAM && !whole) {
        size *= 4;
        continue;
      }
      const from = offset + streamDataStart(bytes, lexer.at);
      const end = streamEnd(source, from, resolveLength(value.get("Length")) ?? -1, budget);
      const data = { kind: "file", source, start: from, end, owner: new PdfRef(num, gen) } as const;
      return { num, gen, value: new PdfStream(value, data), end, parsed: lexer.at };
    }
    return { num, gen, value, end: offset + lexer.at, parsed: lexer.at };
  }
}

function parseWithin(budget: WorkMeter, lexer: Lexer, objects: ObjectSource | undefined): PdfObject {
  try {
    return parseObject(lexer, budget, objects);
  } finally {
    budget.charge("object");
    budget.charge("byte", lexer.at);
  }
}

/** Returns the start of a stream's data after the keyword `stream`, which ends at `at`. Skips one end of line. */
function streamDataStart(bytes: Uint8Array, at: number): number {
  let start = at;
  // Some writers put spaces between the keyword and the end of line.
  while (bytes[start] === 0x20 || bytes[start] === 0x09) start++;
  if (bytes[start] === 0x0d) return bytes[start + 1] === 0x0a ? start + 2 : start + 1;
  return bytes[start] === 0x0a ? start + 1 : at;
}

/** Returns the end of a stream's data, by its length if that is right. */
function streamEnd(source: ByteSource, start: number, length: number, budget: WorkMeter): number {
  const end = start + length;
  const isRight = length >= 0 && end <= source.size && endsStream(source.read(end, end + 32));
  return isRight ? end : findStreamEnd(source, start, budget);
}

/** Returns whether the next token is `endstream`. */
function endsStream(bytes: Uint8Array): boolean {
  let at = 0;
  while (at < bytes.length && CHARACTER_CLASS[bytes[at] as number] === WHITE_SPACE) at++;
  return ENDSTREAM.every((byte, index) => bytes[at + index] === byte);
}

/**
 * Returns the end of a stream with a wrong `Length`: the next `endstream`, or an earlier `endobj` that another object or
 * a trailer follows. Otherwise a stream without `endstream` would extend to the `endstream` of the next one.
 */
function findStreamEnd(source: ByteSource, start: number, budget: WorkMeter): number {
  const step = 1 << 16;
  for (let at = start; at < source.size; at += step) {
    const bytes = source.read(at, at + step + 64);
    budget.charge("byte", bytes.length);
    const found = latin1(bytes).search(STREAM_END);
    if (found >= 0) return beforeEndOfLine(source, start, at + found);
  }
  return beforeEndOfLine(source, start, source.size);
}

function beforeEndOfLine(source: ByteSource, start: number, end: number): number {
  const before = source.read(Math.max(start, end - 2), end);
  if (before.at(-1) === 0x0a) return end - (before.length > 1 && before[0] === 0x0d ? 2 : 1);
  return before.at(-1) === 0x0d ? end - 1 : end;
}
