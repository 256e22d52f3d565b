import { type Filter, lanczosFilter } from "./lanczos.ts";
import type { Size } from "./size.ts";

type Bytes = Uint8Array | Uint8ClampedArray;

/** Samples of a picture, one byte each, with the channels of a pixel side by side. */
export interface Samples extends Size {
  readonly values: Bytes;
  /** One channel, or red, green, blue and alpha. */
  readonly channels: 1 | 4;
  /** Whether colors are weighted by their alpha. */
  readonly hasAlpha: boolean;
}

/** The exports of assembly/resample.ts. */
interface Assembly {
  readonly memory: WebAssembly.Memory;
  setAcross(starts: number, weights: number, taps: number, columns: number): void;
  filterPlaneRow(row: number, to: number): void;
  filterPixelRow(row: number, to: number): void;
  setDown(ring: number, rowBytes: number, taps: number): void;
  filterDown(first: number, weights: number, to: number, length: number): void;
}

const WASM_PAGE = 65_536;
/** The bytes of a vector. */
const VECTOR = 16;
/** Vectors may reach beyond the end of the data: by 7 pixels where the taps across are filled up. */
const OVERRUN = 32;
/** The bytes of a filtered value, and of a weight. */
const VALUE_BYTES = 2;
// Vectors have 8 weights. Down, rows are filtered in pairs.
const ACROSS_TAP_MULTIPLE = 8;
const DOWN_TAP_MULTIPLE = 2;

/**
 * Scales pictures down with a Lanczos filter. Works on the values as they are, as `vips thumbnail` does.
 *
 * Each row is filtered across into a ring of rows. As soon as the ring has all rows for a row of the result, they are
 * filtered down. So the WebAssembly memory holds about 48 bytes for each pixel of a row, and the filters.
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
  resample({ values, width, height, channels, hasAlpha }: Samples, to: Size, made: Bytes): void {
    const across = lanczosFilter(width, to.width, ACROSS_TAP_MULTIPLE);
    const down = lanczosFilter(height, to.height, DOWN_TAP_MULTIPLE);
    const { memory, filterPixelRow, filterPlaneRow, filterDown } = this.#assembly;
    const filterAcross = channels === 1 ? filterPlaneRow : filterPixelRow;
    const [rowBytes, madeBytes] = [channels * width, channels * to.width];
    const { row, ring, slotBytes, downWeights, madeRow } = this.#layOut(across, down, rowBytes, madeBytes);
    const rowView = new Uint8ClampedArray(memory.buffer, row, rowBytes);
    const madeView = new Uint8ClampedArray(memory.buffer, madeRow, madeBytes);
    let y = 0;
    for (const [place, first] of down.starts.entries()) {
      for (const end = Math.min(height, first + down.taps); y < end; y++) {
        rowView.set(values.subarray(y * rowBytes, (y + 1) * rowBytes));
        if (hasAlpha) premultiply(rowView);
        filterAcross(row, ring + (y % down.taps) * slotBytes);
      }
      filterDown(first, downWeights + place * down.taps * VALUE_BYTES, madeRow, madeBytes);
      if (hasAlpha) unpremultiply(madeView);
      made.set(madeView, place * madeBytes);
    }
  }

  /** Writes the filters into memory. Returns the addresses of the other data. */
  #layOut(across: Filter, down: Filter, rowBytes: number, madeBytes: number) {
    const { memory, setAcross, setDown } = this.#assembly;
    let end = 0;
    const allocate = (bytes: number) => {
      const address = end;
      end += VECTOR * Math.ceil((bytes + OVERRUN) / VECTOR);
      return address;
    };
    const slotBytes = VECTOR * Math.ceil((VALUE_BYTES * madeBytes) / VECTOR);
    const starts = allocate(across.starts.byteLength);
    const acrossWeights = allocate(across.weights.byteLength);
    const downWeights = allocate(down.weights.byteLength);
    const row = allocate(rowBytes);
    const ring = allocate(slotBytes * down.taps);
    const madeRow = allocate(madeBytes);
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

/** Multiplies the colors of a row by their alpha. */
function premultiply(row: Uint8ClampedArray): void {
  for (let at = 0; at < row.length; at += 4) multiplyColors(row, at, (row[at + 3] ?? 0) / 255);
}

function unpremultiply(row: Uint8ClampedArray): void {
  for (let at = 0; at < row.length; at += 4) multiplyColors(row, at, 255 / (row[at + 3] || Infinity));
}

function multiplyColors(row: Uint8ClampedArray, at: number, factor: number): void {
  row[at] = (row[at] ?? 0) * factor;
  row[at + 1] = (row[at + 1] ?? 0) * factor;
  row[at + 2] = (row[at + 2] ?? 0) * factor;
}

function isAssembly(exports: object): exports is Assembly {
  return "filterDown" in exports;
}
