import { optimalCoding, SYMBOLS } from "./entropy-coding.ts";
import { EOI, jpegHeader } from "./jpeg-file.ts";
import { loadMcuRow, MCU_SIZE, mcuBytes, type RowSource, type Size } from "./mcu-rows.ts";
import { type QuantizationTables, quantizationTables, ZIGZAG } from "./quantization-tables.ts";

/** The exports of assembly/encoder.ts. */
interface Assembly {
  readonly memory: WebAssembly.Memory;
  begin(lumaShift: number, chromaShift: number): void;
  countRow(isPlanes: boolean, mcuRow: number, stride: number, mcus: number): void;
  encodeRow(isPlanes: boolean, mcuRow: number, stride: number, mcus: number, target: number): number;
  countGrayRow(rows: number, stride: number, blocks: number): void;
  encodeGrayRow(rows: number, stride: number, blocks: number, target: number): number;
  subsampleBoth(from: number, stride: number, to: number): void;
  subsampleVertically(from: number, stride: number, to: number): void;
  flush(target: number): number;
}

/** Addresses in the WebAssembly memory. assembly/memory-layout.ts has the same numbers. */
const AT = { reciprocals: 0x0400, zigzagOffsets: 0x0600, zigzagMasks: 0x1000, codes: 0x5000, counts: 0x6000 };
const MCU_ROW = 0x8000;
const WASM_PAGE = 65_536;

/** 6 blocks of 64 coefficients of at most 27 bits, with byte stuffing after every byte. */
const MAX_MCU_BYTES = (6 * 64 * 27 * 2) / 8;
/** The bits left from the MCU row before. */
const MAX_PENDING_BYTES = 16;

/** One of so many MCU rows is sampled to choose the Huffman tables. */
const SAMPLING_STEP = 4;
const GOLDEN_RATIO = (1 + Math.sqrt(5)) / 2;
/** All rows of a smaller image are counted: codes for symbols that may occur would cost more than sampling saves. */
const MIN_SAMPLED_MCUS = 4096;

/** The MCU rows to count, and whether others may have symbols that these do not have. */
interface Sample {
  readonly mcuRows: readonly number[];
  readonly isSample: boolean;
}

/** An image to encode, and its layout in the WebAssembly memory. */
interface Job {
  readonly source: RowSource;
  readonly mcus: number;
  readonly stride: number;
  /** The address after the MCU row, for encoded data. */
  readonly target: number;
  readonly shifts: readonly [luma: number, chroma: number];
}

/**
 * Encodes baseline JPEGs at 4:2:0 or in gray (ITU-T T.81), with the quantization tables that browsers use for the same quality and
 * optimal Huffman tables. An instance has a WebAssembly memory of its own. Wait for a call before the next one.
 */
export class JpegEncoder {
  readonly #assembly: Assembly;

  /** @param module jpeg-encoder.wasm, compiled */
  constructor(module: WebAssembly.Module) {
    const { exports } = new WebAssembly.Instance(module);
    if (!isAssembly(exports)) throw new Error("the module is not jpeg-encoder.wasm");
    this.#assembly = exports;
    const { buffer } = exports.memory;
    // The coefficients of a block are column by column.
    const columnMajor = ZIGZAG.map((index) => 8 * (index & 7) + (index >> 3));
    new Uint8Array(buffer, AT.zigzagOffsets, 64).set(columnMajor.map((coefficient) => 2 * coefficient));
    const masks = new BigUint64Array(buffer, AT.zigzagMasks, 8 * 256);
    for (const [zigzagIndex, coefficient] of columnMajor.entries()) {
      const column = 256 * (coefficient >> 3);
      const bit = 1 << (coefficient & 7);
      for (let set = 0; set < 256; set++) {
        if (set & bit) masks[column + set] = (masks[column + set] ?? 0n) | (1n << BigInt(zigzagIndex));
      }
    }
  }

  /**
   * Encodes an image.
   *
   * @param quality from 0 to 1
   * @returns the file
   */
  async encode(source: RowSource, quality: number): Promise<Uint8Array<ArrayBuffer>> {
    const job = this.#prepare(source, quality);
    const { mcuRows, isSample } = sampleMcuRows(source);
    const counts = this.#words(AT.counts).fill(0);
    this.#assembly.begin(...job.shifts);
    for (const mcuRow of mcuRows) {
      await this.#load(job, mcuRow);
      this.#count(job, mcuRow);
    }
    const { tables, codes } = optimalCoding(counts, isSample);
    const { width, height, kind } = source;
    const header = jpegHeader(
      { width, height, isGray: kind === "gray" },
      quantizationTables(quality),
      tables,
    );
    return concatenated([header, ...(await this.#encode(job, codes)), EOI]);
  }

  #prepare(source: RowSource, quality: number): Job {
    const mcus = Math.ceil(source.width / MCU_SIZE);
    const bytes = mcuBytes(source);
    const target = MCU_ROW + mcus * bytes.mcu;
    const { memory } = this.#assembly;
    const missing = target + mcus * MAX_MCU_BYTES + MAX_PENDING_BYTES - memory.buffer.byteLength;
    if (missing > 0) memory.grow(Math.ceil(missing / WASM_PAGE));
    const shifts = this.#setQuantization(quantizationTables(quality));
    return { source, mcus, stride: mcus * bytes.row, target, shifts };
  }

  /** Returns the entropy-coded data. */
  async #encode(job: Job, codes: Uint32Array): Promise<Uint8Array[]> {
    const { source, shifts, target } = job;
    const { begin, flush } = this.#assembly;
    const parts: Uint8Array[] = [];
    this.#words(AT.codes).set(codes);
    begin(...shifts);
    const mcuRows = Math.ceil(source.height / MCU_SIZE);
    for (let mcuRow = 0; mcuRow < mcuRows; mcuRow++) {
      await this.#load(job, mcuRow);
      parts.push(...this.#encodeMcuRow(job, mcuRow));
    }
    return [...parts, this.#bytes(target, flush(target)).slice()];
  }

  #count({ source, stride, mcus }: Job, mcuRow: number): void {
    const { countRow, countGrayRow } = this.#assembly;
    if (source.kind !== "gray") countRow(source.kind === "planes", MCU_ROW, stride, mcus);
    else
      for (const row of blockRowsOf(source, mcuRow))
        countGrayRow(MCU_ROW + row * stride, stride, blocksOf(source));
  }

  #encodeMcuRow({ source, stride, mcus, target }: Job, mcuRow: number): Uint8Array[] {
    const { encodeRow, encodeGrayRow } = this.#assembly;
    const written = (length: number) => this.#bytes(target, length).slice();
    if (source.kind !== "gray")
      return [written(encodeRow(source.kind === "planes", MCU_ROW, stride, mcus, target))];
    return blockRowsOf(source, mcuRow).map((row) =>
      written(encodeGrayRow(MCU_ROW + row * stride, stride, blocksOf(source), target)),
    );
  }

  /** Reads an MCU row into memory, as 4:2:0 if it is planes. */
  async #load({ source, stride, target }: Job, mcuRow: number): Promise<void> {
    await loadMcuRow(this.#bytes(MCU_ROW, target - MCU_ROW), stride, source, mcuRow);
    if (source.kind !== "planes") return;
    const { across, down } = source.subsampling;
    if (down === 2) return;
    const { subsampleBoth, subsampleVertically } = this.#assembly;
    const subsample = across === 1 ? subsampleBoth : subsampleVertically;
    const chroma = MCU_ROW + MCU_SIZE * stride;
    const chromaStride = stride / across;
    subsample(chroma, chromaStride, chroma);
    subsample(chroma + MCU_SIZE * chromaStride, chromaStride, chroma + (MCU_SIZE / 4) * stride);
  }

  #bytes(address: number, length: number): Uint8Array {
    return new Uint8Array(this.#assembly.memory.buffer, address, length);
  }

  /** The codes or counts of all symbols. */
  #words(address: number): Uint32Array {
    return new Uint32Array(this.#assembly.memory.buffer, address, SYMBOLS);
  }

  /** @returns by how many bits to shift products with the reciprocals of luma, and of chroma */
  #setQuantization({ luma, chroma }: QuantizationTables): readonly [luma: number, chroma: number] {
    const set = (table: readonly number[], address: number) => {
      const divisors = table.map((step, index) => step * dctScale(index));
      const shift = Math.floor(Math.log2(32767 * Math.min(...divisors)));
      const reciprocals = new Int16Array(this.#assembly.memory.buffer, address, 64);
      for (const [index, divisor] of divisors.entries())
        reciprocals[8 * (index & 7) + (index >> 3)] = Math.round(2 ** shift / divisor);
      return shift;
    };
    return [set(luma, AT.reciprocals), set(chroma, AT.reciprocals + 128)];
  }
}

const BLOCK_SIZE = 8;

/** Returns the number of blocks side by side. The only component of a JPEG has no blocks beyond the edge (A.2.2). */
function blocksOf({ width }: Size): number {
  return Math.ceil(width / BLOCK_SIZE);
}

/** Returns the first rows of the rows of blocks in an MCU row, counted from its top. */
function blockRowsOf({ height }: Size, mcuRow: number): readonly number[] {
  return [0, BLOCK_SIZE].filter((row) => mcuRow * MCU_SIZE + row < height);
}

/**
 * Chooses the MCU rows whose symbols are counted.
 *
 * @returns all rows of a small image, a sample of those of a large one
 */
function sampleMcuRows({ width, height }: Size): Sample {
  const all = Math.ceil(height / MCU_SIZE);
  const step = Math.ceil(width / MCU_SIZE) * all < MIN_SAMPLED_MCUS ? 1 : SAMPLING_STEP;
  const mcuRows: number[] = [];
  for (let index = 0; index * step < all; index++) {
    // Multiples of the golden ratio do not resonate with a pattern that the image repeats.
    const mcuRow = index * step + Math.floor(step * ((index * GOLDEN_RATIO) % 1));
    if (mcuRow < all) mcuRows.push(mcuRow);
  }
  return { mcuRows, isSample: step > 1 };
}

/** Returns the factor by which the forward DCT scales a coefficient: 8, 2 for doubled samples, and those it omits. */
function dctScale(index: number): number {
  const factor = (frequency: number) =>
    frequency === 0 ? 1 : Math.SQRT2 * Math.cos((frequency * Math.PI) / 16);
  return 16 * factor(index >> 3) * factor(index & 7);
}

function concatenated(parts: readonly ArrayLike<number>[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function isAssembly(exports: object): exports is Assembly {
  return "encodeRow" in exports;
}
