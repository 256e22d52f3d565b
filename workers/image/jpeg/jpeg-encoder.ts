import { chromaSize, type Planes } from "../planes.ts";
import { END_OF_IMAGE, type HuffmanTables, jpegHeader } from "./header.ts";
import { eachCode, huffmanTable } from "./huffman.ts";
import { type Quantisers, quantisersOf, ZIGZAG } from "./quantisers.ts";
import { MCU, PIXELS, PLANES, type StripForm } from "./strips.ts";

/** What assembly/encoder.ts exports. */
interface Assembly {
  readonly memory: WebAssembly.Memory;
  start(lumaShift: number, chromaShift: number): void;
  count(strip: number, stride: number, mcus: number): void;
  countPlanes(strip: number, stride: number, mcus: number): void;
  encode(strip: number, stride: number, mcus: number, target: number): number;
  encodePlanes(strip: number, stride: number, mcus: number, target: number): number;
  halveBothWays(from: number, stride: number, to: number): void;
  halveDown(from: number, stride: number, to: number): void;
  finish(target: number): number;
}

// Where things are in its memory. The same numbers are in assembly/layout.ts.
const AT = { reciprocals: 0x0400, places: 0x0600, ordered: 0x1000, codes: 0x5000, counts: 0x6000 };
const STRIP = 0x8000;
const WASM_PAGE = 65_536;

/** Six blocks of 64 coefficients of at most 27 bits, behind each byte of ones a zero; and what was left before. */
const LONGEST_MCU = (6 * 64 * 27 * 2) / 8;
const LONGEST_REST = 16;

/** Of so many strips one is looked at to find the best codes. */
const SAMPLED = 4;
const GOLDEN_RATIO = (1 + Math.sqrt(5)) / 2;
/** An image of fewer MCUs is looked at as a whole: codes for what might come would take more than they save. */
const FEW_MCUS = 4096;

/** In bytes. What a larger file was put together in is given back with the next. */
const LARGEST_KEPT = 8 * 2 ** 20;
const SMALLEST_ROOM = 64 * 1024;

/** Symbols of DC coefficients are their lengths; those of AC have the zeros before them in the higher half. */
const LONGEST_DC = 11;
const LONGEST_AC = 10;

interface Size {
  readonly width: number;
  readonly height: number;
}

/** An image's values: red, green, blue and something of each pixel, row after row from the top. */
export interface Pixels extends Size {
  readonly pixels: Uint8ClampedArray;
}

/** Some rows of an image. */
interface Rows {
  readonly first: number;
  readonly count: number;
}

/** An image whose values are elsewhere, and given row by row. */
export interface RowSource<Values> extends Size {
  readonly form: StripForm<Values>;
  /** Of how many rows, from the top, the best codes are found, where not of all. */
  readonly early?: number;
  rows(first: number, count: number): Promise<Values>;
}

/**
 * Writes JPEGs: baseline, chroma halved both ways, as browsers do below the highest quality, and at a quality with
 * the same quantisers. It has a memory of its own, of a strip of the picture.
 */
export class JpegEncoder {
  readonly #assembly: Assembly;
  readonly #workbench = new Workbench();

  constructor(module: WebAssembly.Module) {
    this.#assembly = assemblyOf(new WebAssembly.Instance(module));
    const { buffer } = this.#assembly.memory;
    // Coefficients lie column by column.
    const place = ZIGZAG.map((index) => 8 * (index & 7) + (index >> 3));
    new Uint8Array(buffer, AT.places, 64).set(place.map((coefficient) => 2 * coefficient));
    const ordered = new BigUint64Array(buffer, AT.ordered, 8 * 256);
    place.forEach((coefficient, order) => {
      const column = 256 * (coefficient >> 3);
      const bit = 1 << (coefficient & 7);
      for (let set = 0; set < 256; set++) {
        if (set & bit) ordered[column + set] = (ordered[column + set] ?? 0n) | (1n << BigInt(order));
      }
    });
  }

  /**
   * @param quality from 0 to 1
   * @returns the file
   */
  encode({ pixels, ...size }: Pixels, quality: number): Uint8Array<ArrayBuffer> {
    const work = this.#work(size, quality, PIXELS);
    for (let step = work.next(); ; ) {
      if (step.done) return step.value;
      step = work.next(pixels.subarray(...rangeOf(step.value, 4 * size.width)));
    }
  }

  /**
   * The same of a picture that is in planes, which are coded as they are.
   *
   * @param quality from 0 to 1
   */
  encodePlanes({ luma, blue, red }: Planes, size: Size, quality: number): Uint8Array<ArrayBuffer> {
    const chromaWidth = chromaSize(size).width;
    const work = this.#work(size, quality, PLANES);
    for (let step = work.next(); ; ) {
      if (step.done) return step.value;
      const { first, count } = step.value;
      const chromaRows = { first: first / 2, count: Math.ceil(count / 2) };
      step = work.next({
        luma: luma.subarray(...rangeOf(step.value, size.width)),
        blue: blue.subarray(...rangeOf(chromaRows, chromaWidth)),
        red: red.subarray(...rangeOf(chromaRows, chromaWidth)),
      });
    }
  }

  /**
   * The same, for rows that are asked for, some of them twice. Nobody else may use this encoder meanwhile.
   *
   * @param quality from 0 to 1
   */
  async encodeRows<Values>(source: RowSource<Values>, quality: number): Promise<Uint8Array<ArrayBuffer>> {
    const work = this.#work(source, quality, source.form);
    for (let step = work.next(); ; ) {
      if (step.done) return step.value;
      step = work.next(await source.rows(step.value.first, step.value.count));
    }
  }

  /** Asks for rows, takes them, and gives the file in the end. */
  *#work<Values>(
    { width, height, early = height }: Size & { readonly early?: number },
    quality: number,
    form: StripForm<Values>,
  ): Generator<Rows, Uint8Array<ArrayBuffer>, Values> {
    const quantisers = quantisersOf(quality);
    const mcus = Math.ceil(width / MCU);
    const strips = Math.ceil(height / MCU);
    const stride = mcus * form.rowBytes;
    const target = STRIP + mcus * form.bytes;
    this.#makeRoom(target + mcus * LONGEST_MCU + LONGEST_REST);
    const shifts = this.#setQuantisers(quantisers);

    const looked = early < height ? Math.floor(early / MCU) : strips;
    const step = mcus * strips < FEW_MCUS ? 1 : SAMPLED;
    this.#words(AT.counts, 4 * 256).fill(0);
    this.#assembly.start(...shifts);
    for (let turn = 0; turn * step < looked; turn++) {
      // By the golden ratio, which is in step with nothing that an image may repeat.
      const strip = turn * step + Math.floor(step * ((turn * GOLDEN_RATIO) % 1));
      if (strip >= looked) break;
      const rows = rowsOfStrip(strip, height);
      this.#load(form, stride, yield rows, rows.count, target);
      this.#assembly[form.count](STRIP, stride, mcus);
    }
    const tables = this.#setTables(step > 1 || looked < strips);

    const file = this.#workbench;
    file.clear();
    file.add(jpegHeader({ width, height }, quantisers, tables));
    this.#assembly.start(...shifts);
    for (let strip = 0; strip < strips; strip++) {
      const rows = rowsOfStrip(strip, height);
      this.#load(form, stride, yield rows, rows.count, target);
      file.add(this.#bytes(target, this.#assembly[form.encode](STRIP, stride, mcus, target)));
    }
    file.add(this.#bytes(target, this.#assembly.finish(target)));
    file.add(END_OF_IMAGE);
    return file.bytes();
  }

  /** Puts a strip into its place, which ends at another. */
  #load<Values>(form: StripForm<Values>, stride: number, values: Values, rows: number, end: number): void {
    form.load(this.#bytes(STRIP, end - STRIP), stride, values, rows);
    if (form.halve === undefined) return;
    const chroma = STRIP + MCU * stride;
    const halve = this.#assembly[form.halve];
    const chromaStride = form.halve === "halveDown" ? stride / 2 : stride;
    halve(chroma, chromaStride, chroma);
    halve(chroma + MCU * chromaStride, chromaStride, chroma + (MCU / 4) * stride);
  }

  #makeRoom(bytes: number): void {
    const { memory } = this.#assembly;
    const missing = bytes - memory.buffer.byteLength;
    if (missing > 0) memory.grow(Math.ceil(missing / WASM_PAGE));
  }

  #bytes(at: number, length: number): Uint8Array {
    return new Uint8Array(this.#assembly.memory.buffer, at, length);
  }

  #words(at: number, length: number): Uint32Array {
    return new Uint32Array(this.#assembly.memory.buffer, at, length);
  }

  /** @returns by how many bits products with the reciprocals of luma and of chroma are too long */
  #setQuantisers({ luma, chroma }: Quantisers): readonly [number, number] {
    const shifts = [luma, chroma].map((table, kind) => {
      const divisors = table.map((quantiser, index) => quantiser * dctScale(index));
      const shift = Math.floor(Math.log2(32767 * Math.min(...divisors)));
      const reciprocals = new Int16Array(this.#assembly.memory.buffer, AT.reciprocals + 128 * kind, 64);
      divisors.forEach((divisor, index) => {
        reciprocals[8 * (index & 7) + (index >> 3)] = Math.round(2 ** shift / divisor);
      });
      return shift;
    });
    const [lumaShift = 0, chromaShift = 0] = shifts;
    return [lumaShift, chromaShift];
  }

  /** @param hasGaps whether symbols that have not been counted may come */
  #setTables(hasGaps: boolean): HuffmanTables {
    const counts = this.#words(AT.counts, 4 * 256);
    const codes = this.#words(AT.codes, 4 * 256);
    const table = (index: number, isDc: boolean) => {
      const some = counts.slice(256 * index, 256 * (index + 1));
      if (hasGaps)
        for (const symbol of isDc ? DC_SYMBOLS : AC_SYMBOLS) some[symbol] = (some[symbol] ?? 0) + 1;
      const made = huffmanTable(some);
      eachCode(made, (symbol, code, length) => {
        const further = symbol & 0x0f;
        codes[256 * index + symbol] = (((code << further) << 5) | (length + further)) >>> 0;
      });
      return made;
    };
    return {
      lumaDc: table(0, true),
      lumaAc: table(1, false),
      chromaDc: table(2, true),
      chromaAc: table(3, false),
    };
  }
}

/** Where rows begin and end. */
function rangeOf({ first, count }: Rows, rowBytes: number): [start: number, end: number] {
  return [first * rowBytes, (first + count) * rowBytes];
}

function rowsOfStrip(strip: number, height: number): Rows {
  const first = MCU * strip;
  return { first, count: Math.min(MCU, height - first) };
}

const DC_SYMBOLS = Array.from({ length: LONGEST_DC + 1 }, (_, length) => length);
const AC_SYMBOLS = [
  0x00,
  0xf0,
  ...Array.from({ length: 16 }, (_, run) =>
    Array.from({ length: LONGEST_AC }, (_, length) => (run << 4) | (length + 1)),
  ).flat(),
];

/** How many times too large a coefficient is, before it is quantised. */
function dctScale(index: number): number {
  const factor = (frequency: number) =>
    frequency === 0 ? 1 : Math.SQRT2 * Math.cos((frequency * Math.PI) / 16);
  // Eight by the transform, and values come in twice.
  return 16 * factor(index >> 3) * factor(index & 7);
}

/** What files are put together in, one after the other. */
class Workbench {
  #room = new Uint8Array(0);
  #length = 0;

  /** Begins a file. */
  clear(): void {
    if (this.#room.length > LARGEST_KEPT) this.#room = new Uint8Array(0);
    this.#length = 0;
  }

  add(bytes: ArrayLike<number>): void {
    const length = this.#length + bytes.length;
    if (length > this.#room.length) {
      const larger = new Uint8Array(Math.max(2 * length, SMALLEST_ROOM));
      larger.set(this.#room.subarray(0, this.#length));
      this.#room = larger;
    }
    this.#room.set(bytes, this.#length);
    this.#length = length;
  }

  /** The file. */
  bytes(): Uint8Array<ArrayBuffer> {
    return this.#room.slice(0, this.#length);
  }
}

function assemblyOf({ exports }: WebAssembly.Instance): Assembly {
  if (!isAssembly(exports)) throw new Error("jpeg-encoder.wasm is another file");
  return exports;
}

function isAssembly(exports: object): exports is Assembly {
  const names = ["memory", "start", "count", "countPlanes", "encode", "encodePlanes", "finish"];
  return [...names, "halveBothWays", "halveDown"].every((name) => name in exports);
}
