import type { ByteSource } from "../../io/source.ts";
import { isDigit, latin1 } from "../syntax/characters.ts";
import { Lexer } from "../syntax/lexer.ts";
import { integerOf, PdfDict, PdfStream } from "../syntax/objects.ts";
import { isKeyword, parseObject } from "../syntax/parser.ts";
import { BrokenStructure, CrossReference, type Entry, OBJECT_NUMBER_LIMIT } from "./cross-reference.ts";
import { decodeStream } from "./filters.ts";
import { readIndirectObject } from "./object-reader.ts";
import type { WorkBudget } from "./work-budget.ts";

const STARTXREF = "startxref";
/** `startxref` must be in the last bytes of the file. qpdf searches 1,024 bytes. */
const TAIL = 2048;
const SECTION_LIMIT = 4096;
/** The first read of a table, in bytes. Most are shorter. */
const FIRST_TABLE_BYTES = 1 << 16;
const FREE: Entry = { kind: "free" };

/** A cross-reference and its trailer. */
export interface FileStructure {
  readonly crossReference: CrossReference;
  readonly trailer: PdfDict;
}

/**
 * Reads the cross-reference of the file (ISO 32000-2, 7.5.4 to 7.5.8): tables, streams, hybrids and their `Prev` chains,
 * the newest section first.
 *
 * @param headerOffset the offset of `%PDF-`, from which the offsets in the file count
 * @throws BrokenStructure when a part of it is invalid
 */
export function readCrossReference(
  source: ByteSource,
  headerOffset: number,
  budget: WorkBudget,
): FileStructure {
  const reading = new Reading(source, headerOffset, budget);
  reading.follow(findStartxref(source));
  if (!reading.trailer) throw new BrokenStructure("the file has no trailer");
  return { crossReference: reading.crossReference, trailer: reading.trailer };
}

function findStartxref(source: ByteSource): number {
  const tail = source.read(source.size - TAIL, source.size);
  const at = latin1(tail).lastIndexOf(STARTXREF);
  if (at < 0) throw new BrokenStructure("the file has no startxref");
  const offset = new Lexer(tail, at + STARTXREF.length).next();
  if (typeof offset !== "number") throw new BrokenStructure("startxref names no offset");
  return offset;
}

class Reading {
  readonly crossReference = new CrossReference();
  trailer: PdfDict | undefined;
  readonly #source: ByteSource;
  readonly #budget: WorkBudget;
  readonly #headerOffset: number;
  readonly #seen = new Set<number>();
  /** The number of objects in cross-reference streams. */
  #listed = 0;

  constructor(source: ByteSource, headerOffset: number, budget: WorkBudget) {
    this.#source = source;
    this.#headerOffset = headerOffset;
    this.#budget = budget;
  }

  follow(first: number): void {
    let next: number | undefined = first;
    while (next !== undefined) {
      if (this.#seen.has(next)) throw new BrokenStructure("the cross-reference sections run in a circle");
      if (this.#seen.size > SECTION_LIMIT) throw new BrokenStructure("too many cross-reference sections");
      this.#seen.add(next);
      const dict = this.#section(next + this.#headerOffset);
      this.trailer ??= dict;
      next = dict.integer("Prev");
      if (dict.has("Prev") && next === undefined) throw new BrokenStructure("Prev is no offset");
      // Some writers write a `Prev` of 0 for none.
      if (next === 0) next = undefined;
    }
  }

  #section(offset: number): PdfDict {
    const start = this.#source.read(offset, offset + 64);
    if (isKeyword(new Lexer(start).next(), "xref")) return this.#table(offset);
    return this.#stream(offset);
  }

  #table(offset: number): PdfDict {
    // A table is read whole. The read grows while the table continues, up to the length of the file.
    for (let size = FIRST_TABLE_BYTES; ; size *= 16) {
      const bytes = this.#source.read(offset, offset + size);
      const whole = offset + bytes.length >= this.#source.size;
      const lexer = new Lexer(bytes);
      lexer.next();
      const free: number[] = [];
      const trailer = this.#subsections(lexer, free) ? parseObject(lexer) : null;
      this.#budget.charge("byte", lexer.at);
      if (lexer.ranOut && !whole) continue;
      if (!(trailer instanceof PdfDict)) throw new BrokenStructure("a cross-reference table has no trailer");
      this.trailer ??= trailer;
      const hybrid = trailer.integer("XRefStm");
      if (hybrid !== undefined && !this.#seen.has(hybrid)) {
        this.#seen.add(hybrid);
        this.#stream(hybrid + this.#headerOffset);
      }
      // Free entries come last: in a hybrid file, `XRefStm` has entries for the same objects.
      for (const num of free) this.crossReference.add(num, FREE);
      return trailer;
    }
  }

  /**
   * Reads to the keyword `trailer` and adds the entries in use.
   *
   * @param free receives the numbers of free entries
   * @returns false when the bytes end before
   */
  #subsections(lexer: Lexer, free: number[]): boolean {
    for (;;) {
      const first = lexer.next();
      if (isKeyword(first, "trailer")) return true;
      const count = lexer.next();
      if (lexer.ranOut) return false;
      if (typeof first !== "number" || typeof count !== "number" || first < 0 || count < 0) {
        throw new BrokenStructure("a cross-reference subsection has no heading");
      }
      let base = first;
      for (let index = 0; index < count; index++) {
        const entry = tableEntry(lexer);
        if (!entry) {
          if (lexer.ranOut) return false;
          throw new BrokenStructure("a cross-reference entry is malformed");
        }
        // Some writers start the count at 1 although the table begins with object 0.
        if (index === 0 && first === 1 && entry.offset === 0 && entry.gen === 65535 && !entry.live) base = 0;
        const num = base + index;
        if (num > OBJECT_NUMBER_LIMIT) throw new BrokenStructure("an object number is too high");
        if (!entry.live) free.push(num);
        else this.crossReference.addPlace(num, entry.offset + this.#headerOffset, entry.gen);
      }
    }
  }

  #stream(offset: number): PdfDict {
    const object = readIndirectObject(
      { source: this.#source, budget: this.#budget, resolveLength: integerOf },
      offset,
    );
    if (!(object?.value instanceof PdfStream) || !object.value.dict.is("Type", "XRef")) {
      throw new BrokenStructure("startxref, Prev or XRefStm leads to no cross-reference");
    }
    this.#streamEntries(object.value);
    return object.value.dict;
  }

  /**
   * Adds the entries of a cross-reference stream (ISO 32000-2, 7.5.8).
   *
   * @throws BrokenStructure when its dictionary makes no sense
   */
  #streamEntries({ dict, data }: PdfStream): void {
    const encoded = data.kind === "file" ? this.#source.read(data.start, data.end) : data.bytes;
    this.#budget.charge("byte", encoded.length);
    const bytes = decodeStream(encoded, dict, this.#budget);
    const [w0, w1, w2] = fieldWidths(dict);
    const entryLength = w0 + w1 + w2;
    const index = dict.value("Index");
    const bounds = Array.isArray(index) ? index : [0, dict.integer("Size") ?? 0];
    const ranges = bounds.map((bound) => integerOf(bound) ?? -1);
    const field = (at: number, width: number): number => {
      let value = 0;
      for (let byte = 0; byte < width; byte++) value = value * 256 + (bytes[at + byte] ?? 0);
      return value;
    };
    let at = 0;
    for (let range = 0; range + 1 < ranges.length; range += 2) {
      const first = ranges[range] ?? -1;
      const count = ranges[range + 1] ?? -1;
      if (first < 0 || count < 0)
        throw new BrokenStructure("a cross-reference stream's Index makes no sense");
      for (let num = first; num < first + count; num++, at += entryLength) {
        if (at + entryLength > bytes.length)
          throw new BrokenStructure("a cross-reference stream is too short");
        const kind = w0 === 0 ? 1 : field(at, w0);
        // An object takes at least a byte of the file, but equal rows compress to almost nothing.
        if (kind !== 0 && !this.crossReference.has(num) && ++this.#listed > this.#source.size)
          throw new BrokenStructure("a cross-reference stream lists more objects than the file can hold");
        const second = field(at + w0, w1);
        const third = field(at + w0 + w1, w2);
        if (kind === 0) this.crossReference.add(num, FREE);
        else if (kind === 1) {
          this.crossReference.addPlace(num, second + this.#headerOffset, third);
        } else if (kind === 2)
          this.crossReference.add(num, { kind: "packed", objectStream: second, index: third });
      }
    }
  }
}

/**
 * Reads an entry of a table, such as `0000000015 00000 n` (ISO 32000-2, 7.5.4). Undefined when there is none. Some writers
 * use fewer digits.
 */
function tableEntry(lexer: Lexer): { offset: number; gen: number; live: boolean } | undefined {
  const offset = lexer.next();
  const gen = lexer.next();
  const kind = lexer.next();
  if (typeof offset !== "number" || typeof gen !== "number") return undefined;
  const live = isKeyword(kind, "n");
  return live || isKeyword(kind, "f") ? { offset, gen, live } : undefined;
}

/** Returns the widths of the fields of a cross-reference stream, in bytes. */
function fieldWidths(dict: PdfDict): [number, number, number] {
  const [w0, w1, w2] = dict.array("W").map((width) => integerOf(width) ?? -1);
  if (w0 === undefined || w1 === undefined || w2 === undefined || Math.min(w0, w1, w2) < 0) {
    throw new BrokenStructure("a cross-reference stream has no field widths");
  }
  const sum = w0 + w1 + w2;
  if (sum === 0 || sum > 32) throw new BrokenStructure("its field widths make no sense");
  return [w0, w1, w2];
}

/** Returns the offset of `%PDF-` in the first kilobyte, or 0, and the version. */
export function findHeader(source: ByteSource): { offset: number; version: string } {
  const head = source.read(0, 1024 + 16);
  for (let at = 0; at < Math.min(1024, head.length - 7); at++) {
    if (head[at] === 0x25 && head[at + 1] === 0x50 && head[at + 2] === 0x44 && head[at + 3] === 0x46) {
      const major = head[at + 5];
      const minor = head[at + 7];
      const version =
        head[at + 4] === 0x2d && isDigit(major) && head[at + 6] === 0x2e && isDigit(minor)
          ? String.fromCharCode(major as number, 0x2e, minor as number)
          : "1.4";
      return { offset: at, version };
    }
  }
  return { offset: 0, version: "1.4" };
}

/** The keys of a cross-reference stream that are not about the document. */
export const SECTION_KEYS: ReadonlySet<string> = new Set(
  "Type W Index Size Prev XRefStm Length Filter DecodeParms F FFilter FDecodeParms DL".split(" "),
);
