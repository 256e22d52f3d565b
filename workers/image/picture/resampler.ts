import { type Filter, lanczosFilter } from "./lanczos.ts";
import type { Size } from "./size.ts";

type Bytes = Uint8Array | Uint8ClampedArray;

/** Samples of a picture, one byte each, with the channels of a pixel side by side. */
export interface Samples extends Size {
  /** One channel, or red, green, blue and alpha. */
  readonly channels: 1 | 4;
  /** Whether colors are weighted by their alpha. */
  readonly hasAlpha: boolean;
  /** Returns a row. The resampler asks for each row once, from the top. */
  row(y: number): Bytes;
}

/** Returns the rows of samples that are all in memory, one row after the other. */
export function rowsOf(values: Bytes, rowBytes: number): Samples["row"] {
  return (y) => values.subarray(y * rowBytes, (y + 1) * rowBytes);
}

/** The exports of assembly/resample.ts. */
interface Assembly {
  readonly memory: WebAssembly.Memory;
  setAcross(starts: number, weights: number, taps: number, columns: number): void;
  filterPlaneRow(row: number, to: number): void;
  filterPixelRow(row: number, to: number): void;
  filterAlphaRow(row: number, to: number): void;
  setDown(ring: number, rowBytes: number, taps: number): void;
  filterDown(first: number, weights: number, to: number, length: number): void;
  filterAlphaDown(first: number, weights: number, to: number, length: number): void;
}

/** How samples are filtered. */
interface Kernel {
  filterAcross(row: number, to: number): void;
  filterDown(first: number, weights: number, to: number, length: number): void;
  /** The numbers of taps are multiples of these, because vectors hold several weights. */
  readonly tapMultiples: { readonly across: number; readonly down: number };
  /** The bytes of a sample. */
  readonly sampleBytes: number;
  /** The bytes of a sample that is filtered across. */
  readonly filteredBytes: number;
}

const WASM_PAGE = 65_536;
/** The bytes of a vector. */
const VECTOR = 16;
/** Vectors may reach beyond the end of the data: by 7 pixels where the taps across are filled up. */
const OVERRUN = 32;
const WEIGHT_BYTES = 2;
const BYTES = { tapMultiples: { across: 8, down: 2 }, sampleBytes: 1, filteredBytes: 2 };
const FLOATS = { tapMultiples: { across: 1, down: 1 }, sampleBytes: 4, filteredBytes: 4 };

/**
 * Scales pictures down with a Lanczos filter. Works on the values as they are, as `vips thumbnail` does.
 *
 * Each row is filtered across into a ring of rows. As soon as the ring has all rows for a row of the result, they are
 * filtered down. So the WebAssembly memory holds about 48 bytes for each pixel of a row, and the filters. With alpha, samples
 * are floating-point numbers, and the memory holds about 112 bytes.
 */
export class Resampler {
  readonly #assembly: Assembly;

  /** @param module resample.wasm, compiled */
  constructor(module: WebAssembly.Module) {
    const { exports } = new WebAssembly.Instance(module);
    if (!isAssembly(exports)) throw new Error("the module is not resample.wasm");
    this.#assembly = exports;
  }

  /**
   * Writes samples at a smaller size.
   *
   * @param to not larger than the picture
   * @param made gets the samples, with the same channels
   */
  resample({ width, height, channels, hasAlpha, row }: Samples, to: Size, made: Bytes): void {
    const kernel = this.#kernelFor(channels, hasAlpha);
    const across = lanczosFilter(width, to.width, kernel.tapMultiples.across);
    const down = lanczosFilter(height, to.height, kernel.tapMultiples.down);
    const [length, madeLength] = [channels * width, channels * to.width];
    const at = this.#layOut(across, down, kernel, { length, madeLength });
    const { buffer } = this.#assembly.memory;
    const addresses = [at.row, at.madeRow] as const;
    const rows = (hasAlpha ? weightedRows : plainRows)(buffer, addresses, [length, madeLength]);
    let y = 0;
    for (const [place, first] of down.starts.entries()) {
      for (const end = Math.min(height, first + down.taps); y < end; y++) {
        rows.put(row(y));
        kernel.filterAcross(at.row, at.ring + (y % down.taps) * at.slotBytes);
      }
      kernel.filterDown(first, at.downWeights + place * down.taps * WEIGHT_BYTES, at.madeRow, madeLength);
      made.set(rows.take(), place * madeLength);
    }
  }

  #kernelFor(channels: Samples["channels"], hasAlpha: boolean): Kernel {
    const { filterPlaneRow, filterPixelRow, filterAlphaRow, filterDown, filterAlphaDown } = this.#assembly;
    if (hasAlpha) return { ...FLOATS, filterAcross: filterAlphaRow, filterDown: filterAlphaDown };
    return { ...BYTES, filterAcross: channels === 1 ? filterPlaneRow : filterPixelRow, filterDown };
  }

  /** Writes the filters into memory. Returns the addresses of the other data. */
  #layOut(
    across: Filter,
    down: Filter,
    { sampleBytes, filteredBytes }: Kernel,
    { length, madeLength }: { readonly length: number; readonly madeLength: number },
  ) {
    const { memory, setAcross, setDown } = this.#assembly;
    let end = 0;
    const allocate = (bytes: number) => {
      const address = end;
      end += VECTOR * Math.ceil((bytes + OVERRUN) / VECTOR);
      return address;
    };
    const slotBytes = VECTOR * Math.ceil((filteredBytes * madeLength) / VECTOR);
    const starts = allocate(across.starts.byteLength);
    const acrossWeights = allocate(across.weights.byteLength);
    const downWeights = allocate(down.weights.byteLength);
    const row = allocate(sampleBytes * length);
    const ring = allocate(slotBytes * down.taps);
    const madeRow = allocate(sampleBytes * madeLength);
    const missing = end - memory.buffer.byteLength;
    if (missing > 0) memory.grow(Math.ceil(missing / WASM_PAGE));
    new Int32Array(memory.buffer, starts).set(across.starts);
    new Int16Array(memory.buffer, acrossWeights).set(across.weights);
    new Int16Array(memory.buffer, downWeights).set(down.weights);
    setAcross(starts, acrossWeights, across.taps, across.starts.length);
    setDown(ring, slotBytes, down.taps);
    return { row, ring, slotBytes, downWeights, madeRow };
  }
}

/** The row that is filtered, and the row that results, in the memory of WebAssembly. */
interface Rows {
  put(row: Bytes): void;
  take(): Bytes;
}

type Pair = readonly [row: number, madeRow: number];

function plainRows(memory: ArrayBuffer, [row, madeRow]: Pair, [length, madeLength]: Pair): Rows {
  const [samples, made] = [new Uint8Array(memory, row, length), new Uint8Array(memory, madeRow, madeLength)];
  return { put: (values) => samples.set(values), take: () => made };
}

/** Colors are multiplied by their alpha and divided by it afterwards. Transparent pixels become black. */
function weightedRows(memory: ArrayBuffer, [row, madeRow]: Pair, [length, madeLength]: Pair): Rows {
  const samples = new Float32Array(memory, row, length);
  const made = new Float32Array(memory, madeRow, madeLength);
  const unweighted = new Uint8ClampedArray(madeLength);
  return {
    put(values) {
      for (let at = 0; at < length; at += 4) {
        const alpha = values[at + 3] ?? 0;
        const weight = alpha / 255;
        samples[at] = (values[at] ?? 0) * weight;
        samples[at + 1] = (values[at + 1] ?? 0) * weight;
        samples[at + 2] = (values[at + 2] ?? 0) * weight;
        samples[at + 3] = alpha;
      }
    },
    take() {
      for (let at = 0; at < madeLength; at += 4) {
        const alpha = made[at + 3] ?? 0;
        unweighted[at + 3] = alpha;
        const weight = unweighted[at + 3] === 0 ? 0 : 255 / alpha;
        unweighted[at] = (made[at] ?? 0) * weight;
        unweighted[at + 1] = (made[at + 1] ?? 0) * weight;
        unweighted[at + 2] = (made[at + 2] ?? 0) * weight;
      }
      return unweighted;
    },
  };
}

function isAssembly(exports: object): exports is Assembly {
  return "filterDown" in exports;
}
