import type { Size } from "../../image/picture/size.ts";
import { Workbench } from "./byte-buffer.ts";
import { codingTables, SYMBOLS } from "./coding-tables.ts";
import { END_OF_IMAGE, jpegHeader } from "./header.ts";
import { MCU, PIXELS, type StripForm } from "./mcu-rows.ts";
import { type Quantizers, quantizersOf, ZIGZAG } from "./quantization-tables.ts";

/** What assembly/encoder.ts exports. */
interface Assembly {
  readonly memory: WebAssembly.Memory;
  start(lumaShift: number, chromaShift: number, isBlueFirst: boolean): void;
  count(strip: number, stride: number, mcus: number): void;
  countPlanes(strip: number, stride: number, mcus: number): void;
  encode(strip: number, stride: number, mcus: number, target: number): number;
  encodePlanes(strip: number, stride: number, mcus: number, target: number): number;
  halveBothWays(from: number, stride: number, to: number): void;
  multiply(pixels: number, end: number): void;
  layOver(pixels: number, end: number, color: number): void;
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
  /** So many rows from the first on, good until others are asked for. */
  rows(first: number, count: number): Promise<Values>;
}

/** Strips that follow each other. */
export interface Strips {
  readonly first: number;
  readonly count: number;
}

interface Sample {
  readonly strips: readonly number[];
  readonly hasGaps: boolean;
}

/** How strips of an image are encoded. */
interface Coding<Values> {
  readonly form: StripForm<Values>;
  /** Of the image, in pixels. */
  readonly height: number;
  readonly mcus: number;
  readonly stride: number;
  /** Where what is written goes, behind the strip. */
  readonly target: number;
  readonly shifts: readonly [number, number];
}

/**
 * Writes JPEGs: baseline, chroma halved both ways, as browsers do below the highest quality, and at a quality with
 * the same quantizers. It has a memory of its own, of a strip of the picture.
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
   * Encodes an image that is at hand.
   *
   * @param quality from 0 to 1
   * @returns the file
   */
  encode({ pixels, ...size }: Pixels, quality: number): Uint8Array<ArrayBuffer> {
    const work = this.#work(size, quality, PIXELS);
    const rowBytes = 4 * size.width;
    for (let step = work.next(); ; ) {
      if (step.done) return step.value;
      const { first, count } = step.value;
      step = work.next(pixels.subarray(first * rowBytes, (first + count) * rowBytes));
    }
  }

  /**
   * The same, for rows that are asked for, some of them twice. Nobody else may use this encoder meanwhile.
   *
   * @param quality from 0 to 1
   */
  encodeRows<Values>(source: RowSource<Values>, quality: number): Promise<Uint8Array<ArrayBuffer>> {
    return answered(this.#work(source, quality, source.form), source);
  }

  /** How often symbols come in some strips of an image: see coding-tables.ts. */
  async countStrips<Values>(
    source: RowSource<Values>,
    quality: number,
    strips: readonly number[],
  ): Promise<Uint32Array<ArrayBuffer>> {
    const coding = this.#prepare(source, quality, source.form);
    this.#words(AT.counts, SYMBOLS).fill(0);
    // Each by itself: the counts are the same whoever counts which.
    for (const strip of strips) await answered(this.#count(coding, [strip]), source);
    return this.#words(AT.counts, SYMBOLS).slice();
  }

  /** Encodes strips that follow each other as one interval between restarts, whose last byte is filled up. */
  async encodeStrips<Values>(
    source: RowSource<Values>,
    quality: number,
    codes: Uint32Array,
    strips: Strips,
  ): Promise<Uint8Array<ArrayBuffer>> {
    const coding = this.#prepare(source, quality, source.form);
    this.#words(AT.codes, SYMBOLS).set(codes);
    this.#workbench.clear();
    await answered(this.#encode(coding, strips), source);
    return this.#workbench.bytes();
  }

  /** Asks for rows, takes them, and gives the file in the end. */
  *#work<Values>(
    size: Size & { readonly early?: number },
    quality: number,
    form: StripForm<Values>,
  ): Generator<Rows, Uint8Array<ArrayBuffer>, Values> {
    const coding = this.#prepare(size, quality, form);
    const { strips, hasGaps } = sampleOf(size);
    this.#words(AT.counts, SYMBOLS).fill(0);
    yield* this.#count(coding, strips);
    const { tables, codes } = codingTables(this.#words(AT.counts, SYMBOLS), hasGaps);
    this.#words(AT.codes, SYMBOLS).set(codes);
    const file = this.#workbench;
    file.clear();
    file.add(jpegHeader(size, quantizersOf(quality), tables));
    yield* this.#encode(coding, { first: 0, count: Math.ceil(size.height / MCU) });
    file.add(END_OF_IMAGE);
    return file.bytes();
  }

  /** Makes all ready for strips of an image. */
  #prepare<Values>({ width, height }: Size, quality: number, form: StripForm<Values>): Coding<Values> {
    const mcus = Math.ceil(width / MCU);
    const target = STRIP + mcus * form.bytes;
    this.#makeRoom(target + mcus * LONGEST_MCU + LONGEST_REST);
    const shifts = this.#setQuantizers(quantizersOf(quality));
    return { form, height, mcus, stride: mcus * form.rowBytes, target, shifts };
  }

  *#count<Values>(coding: Coding<Values>, strips: readonly number[]): Generator<Rows, void, Values> {
    const { form, height, mcus, stride, shifts } = coding;
    this.#assembly.start(...shifts, form.isBlueFirst === true);
    for (const strip of strips) {
      const rows = rowsOfStrip(strip, height);
      this.#load(coding, yield rows, rows.count);
      this.#assembly[form.count](STRIP, stride, mcus);
    }
  }

  *#encode<Values>(coding: Coding<Values>, { first, count }: Strips): Generator<Rows, void, Values> {
    const { form, height, mcus, stride, target, shifts } = coding;
    const file = this.#workbench;
    this.#assembly.start(...shifts, form.isBlueFirst === true);
    for (let strip = first; strip < first + count; strip++) {
      const rows = rowsOfStrip(strip, height);
      this.#load(coding, yield rows, rows.count);
      file.add(this.#bytes(target, this.#assembly[form.encode](STRIP, stride, mcus, target)));
    }
    file.add(this.#bytes(target, this.#assembly.finish(target)));
  }

  /** Puts a strip into its place. */
  #load<Values>({ form, stride, target }: Coding<Values>, values: Values, rows: number): void {
    form.load(this.#bytes(STRIP, target - STRIP), stride, values, rows);
    if (form.isUnmultiplied) this.#assembly.multiply(STRIP, target);
    if (form.backdrop !== undefined) this.#assembly.layOver(STRIP, target, form.backdrop);
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
  #setQuantizers({ luma, chroma }: Quantizers): readonly [number, number] {
    const shifts = [luma, chroma].map((table, kind) => {
      const divisors = table.map((quantizer, index) => quantizer * dctScale(index));
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
}

/** Gives work the rows that it asks for. */
async function answered<Values, Result>(
  work: Generator<Rows, Result, Values>,
  source: RowSource<Values>,
): Promise<Result> {
  for (let step = work.next(); ; ) {
    if (step.done) return step.value;
    step = work.next(await source.rows(step.value.first, step.value.count));
  }
}

/**
 * The strips that are looked at to find the best codes, and whether others may have symbols that these have not.
 *
 * @param early of how many rows, from the top; all when absent
 */
export function sampleOf({ width, height, early = height }: Size & { readonly early?: number }): Sample {
  const all = Math.ceil(height / MCU);
  const looked = early < height ? Math.floor(early / MCU) : all;
  const step = Math.ceil(width / MCU) * all < FEW_MCUS ? 1 : SAMPLED;
  const strips: number[] = [];
  for (let turn = 0; turn * step < looked; turn++) {
    // By the golden ratio, which is in step with nothing that an image may repeat.
    const strip = turn * step + Math.floor(step * ((turn * GOLDEN_RATIO) % 1));
    if (strip < looked) strips.push(strip);
  }
  return { strips, hasGaps: step > 1 || looked < all };
}

function rowsOfStrip(strip: number, height: number): Rows {
  const first = MCU * strip;
  return { first, count: Math.min(MCU, height - first) };
}

/** How many times too large a coefficient is, before it is quantized. */
function dctScale(index: number): number {
  const factor = (frequency: number) =>
    frequency === 0 ? 1 : Math.SQRT2 * Math.cos((frequency * Math.PI) / 16);
  // Eight by the transform, and values come in twice.
  return 16 * factor(index >> 3) * factor(index & 7);
}

function assemblyOf({ exports }: WebAssembly.Instance): Assembly {
  if (!isAssembly(exports)) throw new Error("jpeg-encoder.wasm is another file");
  return exports;
}

function isAssembly(exports: object): exports is Assembly {
  const names = ["memory", "start", "count", "countPlanes", "encode", "encodePlanes", "finish"];
  return [...names, "halveBothWays", "halveDown", "multiply", "layOver"].every((name) => name in exports);
}
