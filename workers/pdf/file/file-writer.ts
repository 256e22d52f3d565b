import { zlibSync } from "fflate";
import type { ByteSink } from "../bytes/sink.ts";
import type { ByteSource } from "../bytes/source.ts";
import { PdfDict, PdfName, type PdfObject } from "../syntax/objects.ts";
import { ByteWriter, writeObject } from "../syntax/serializer.ts";
import type { Entry } from "./cross-reference.ts";
import { OrderedOutput } from "./ordered-output.ts";
import { SECTION_KEYS } from "./read-cross-reference.ts";

/** The last offset that ten digits hold. */
const TABLE_OFFSET_LIMIT = 9_999_999_999;
/** Bytes for a generation or for an index in an object stream. */
const INDEX_WIDTH = 3;

/** Objects in one object stream: more make it smaller, fewer make finding one in it faster. */
const PACKED_OBJECTS = 200;
const PACKED_BYTES = 256 * 1024;

/** How a {@link FileWriter} writes. */
export interface WriterOptions {
  /** The highest object number that is taken, though nothing of that number may be written. */
  readonly highest?: number;
  /** Whether objects that are no streams go into object streams. */
  readonly pack?: boolean;
}

/** The object stream that is being filled. */
interface PackingRoom {
  readonly text: ByteWriter;
  numbers: number[];
  offsets: number[];
}

/** Writes a PDF file from its header to its cross-reference (ISO 32000-2, 7.5). */
export class FileWriter {
  readonly out: OrderedOutput;
  readonly #entries = new Map<number, Exclude<Entry, { kind: "free" }>>();
  readonly #packing: PackingRoom | undefined;
  #packed = false;
  #highest: number;

  /** @param source what ranges of the input are copied from */
  constructor(source: ByteSource, sink: ByteSink, version: string, options: WriterOptions = {}) {
    this.#highest = options.highest ?? 0;
    if (options.pack) this.#packing = { text: new ByteWriter(), numbers: [], offsets: [] };
    this.out = new OrderedOutput(source, sink);
    // Four bytes over 127 tell transfer programs that the file is binary (7.5.2).
    this.out.text.text(`%PDF-${version}\n%\xe2\xe3\xcf\xd3\n`);
  }

  /** A number that nothing else has. */
  allocate(): number {
    return ++this.#highest;
  }

  /** Writes an indirect object that is no stream. */
  object(num: number, gen: number, value: PdfObject): void {
    if (this.#packing && gen === 0) {
      this.#pack(this.#packing, num, value);
      return;
    }
    this.#begin(num, gen);
    const { text } = this.out;
    writeObject(text, value);
    text.text("\nendobj\n");
  }

  /**
   * Writes a stream object.
   *
   * @param length how many bytes `writeData` writes
   */
  stream(
    num: number,
    gen: number,
    dict: PdfDict,
    length: number,
    writeData: (out: OrderedOutput) => void,
  ): void {
    this.#begin(num, gen);
    const { out } = this;
    const own = dict.clone();
    own.set("Length", length);
    writeObject(out.text, own);
    out.text.text("\nstream\n");
    writeData(out);
    out.text.text("\nendstream\nendobj\n");
  }

  /** Says that object `num` is the `index`th in the object stream `container`. */
  packed(num: number, container: number, index: number): void {
    this.#entries.set(num, { kind: "packed", container, index });
    this.#packed = true;
    this.#highest = Math.max(this.#highest, num);
  }

  /** Whether an object of that number was written. */
  has(num: number): boolean {
    return this.#entries.has(num);
  }

  #pack(room: PackingRoom, num: number, value: PdfObject): void {
    room.numbers.push(num);
    room.offsets.push(room.text.length);
    writeObject(room.text, value);
    room.text.byte(0x0a);
    if (room.numbers.length >= PACKED_OBJECTS || room.text.length >= PACKED_BYTES) this.#writePacked(room);
  }

  /** Writes the object stream that has been filled (ISO 32000-2, 7.5.7). */
  #writePacked(room: PackingRoom): void {
    if (room.numbers.length === 0) return;
    const container = this.allocate();
    const heading = new ByteWriter();
    room.numbers.forEach((num, index) => {
      heading.text(`${num} ${room.offsets[index]} `);
      this.packed(num, container, index);
    });
    const first = heading.length;
    heading.raw(room.text.take());
    const compressed = zlibSync(heading.take());
    const dict = new PdfDict(
      new Map<string, PdfObject>([
        ["Type", PdfName.of("ObjStm")],
        ["N", room.numbers.length],
        ["First", first],
        ["Filter", PdfName.of("FlateDecode")],
      ]),
    );
    room.numbers = [];
    room.offsets = [];
    this.stream(container, 0, dict, compressed.length, (out) => out.write(compressed));
  }

  #begin(num: number, gen: number): void {
    this.#entries.set(num, { kind: "file", offset: this.out.position, gen });
    this.#highest = Math.max(this.#highest, num);
    this.out.text.text(`${num} ${gen} obj\n`);
  }

  /** Writes the cross-reference and the trailer, and waits until all is in the sink. */
  async end(trailer: PdfDict): Promise<void> {
    if (this.#packing) this.#writePacked(this.#packing);
    const start = this.out.position;
    const own = new PdfDict();
    for (const [key, value] of trailer.entries) if (!SECTION_KEYS.has(key)) own.set(key, value);
    if (this.#packed || start > TABLE_OFFSET_LIMIT) this.#crossReferenceStream(own, start);
    else this.#table(own);
    this.out.text.text(`startxref\n${start}\n%%EOF\n`);
    await this.out.end();
  }

  /** The runs of numbers that the cross-reference lists; a gap is listed as free objects unless it is wide. */
  #subsections(): [first: number, count: number][] {
    const numbers = Float64Array.from(this.#entries.keys()).sort();
    if (this.#highest <= 2 * numbers.length + 1000) return [[0, this.#highest + 1]];
    const runs: [number, number][] = [[0, 1]];
    for (const num of numbers) {
      const run = runs.at(-1);
      if (run && num === run[0] + run[1]) run[1]++;
      else runs.push([num, 1]);
    }
    return runs;
  }

  #table(trailer: PdfDict): void {
    const { text } = this.out;
    text.text("xref\n");
    for (const [first, count] of this.#subsections()) {
      text.text(`${first} ${count}\n`);
      for (let num = first; num < first + count; num++) {
        const entry = this.#entries.get(num);
        if (entry?.kind !== "file") text.text("0000000000 65535 f \n");
        else {
          text.text(`${String(entry.offset).padStart(10, "0")} ${String(entry.gen).padStart(5, "0")} n \n`);
        }
      }
    }
    trailer.set("Size", this.#highest + 1);
    text.text("trailer\n");
    writeObject(text, trailer);
    text.text("\n");
  }

  #crossReferenceStream(trailer: PdfDict, start: number): void {
    const own = this.#highest + 1;
    this.#entries.set(own, { kind: "file", offset: start, gen: 0 });
    this.#highest = own;
    const subsections = this.#subsections();
    const offsetWidth = Math.max(2, Math.ceil(Math.log2(Math.max(start, own) + 1) / 8));
    const rows = entryRows(subsections, this.#entries, offsetWidth);
    const compressed = zlibSync(rows);
    const dict = new PdfDict(
      new Map<string, PdfObject>([
        ["Type", PdfName.of("XRef")],
        ["Size", own + 1],
        ["W", [1, offsetWidth, INDEX_WIDTH]],
        ["Filter", PdfName.of("FlateDecode")],
        [
          "DecodeParms",
          new PdfDict(
            new Map([
              ["Predictor", 12],
              ["Columns", 1 + offsetWidth + INDEX_WIDTH],
            ]),
          ),
        ],
        ...trailer.entries,
      ]),
    );
    if (subsections.length > 1) dict.set("Index", subsections.flat());
    this.stream(own, 0, dict, compressed.length, (out) => out.write(compressed));
  }
}

/** The rows of a cross-reference stream, each the difference from the one above (PNG's filter "up"). */
function entryRows(
  subsections: readonly (readonly [first: number, count: number])[],
  entries: ReadonlyMap<number, Exclude<Entry, { kind: "free" }>>,
  offsetWidth: number,
): Uint8Array {
  const width = 1 + offsetWidth + INDEX_WIDTH;
  const total = subsections.reduce((sum, [, count]) => sum + count, 0);
  const rows = new Uint8Array(total * (width + 1));
  let above = new Uint8Array(width);
  let at = 0;
  for (const [first, count] of subsections) {
    for (let num = first; num < first + count; num++) {
      const row = new Uint8Array(width);
      const entry = entries.get(num);
      let [second, third] = [0, 65535];
      if (entry?.kind === "file") [row[0], second, third] = [1, entry.offset, entry.gen];
      else if (entry) [row[0], second, third] = [2, entry.container, entry.index];
      for (let byte = offsetWidth; byte >= 1; byte--) {
        row[byte] = second % 256;
        second = Math.floor(second / 256);
      }
      row[width - 3] = third >> 16;
      row[width - 2] = third >> 8;
      row[width - 1] = third;
      rows[at++] = 2;
      for (let byte = 0; byte < width; byte++) rows[at++] = (row[byte] as number) - (above[byte] as number);
      above = row;
    }
  }
  return rows;
}

/** The later of two versions such as "1.4" and "1.7". */
export function laterVersion(one: string, other: string): string {
  return Number.parseFloat(one) >= Number.parseFloat(other) ? one : other;
}
