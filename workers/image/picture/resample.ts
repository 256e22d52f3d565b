import type { Size } from "./size.ts";

/** Samples of a picture, one byte each, with the channels of a pixel side by side. */
export interface Samples extends Size {
  readonly values: Uint8Array | Uint8ClampedArray;
  /** One channel, or red, green, blue and alpha. */
  readonly channels: 1 | 4;
  /** Whether alpha counts. Otherwise the result is opaque. */
  readonly hasAlpha: boolean;
}

/** Lanczos windows of three lobes, the default of libvips. */
const LOBES = 3;
/** Boxes leave at least this factor to the Lanczos filter, as in libvips. They are faster, and blur. */
const FACTOR_AFTER_BOXES = 2;

// Fixed point: weights have 14 bits after the point, values between the two passes 6. All sums stay below 2^31.
const WEIGHT_BITS = 14;
const VALUE_BITS = 6;
const LAST_SHIFT = WEIGHT_BITS + VALUE_BITS;
const LAST_HALF = 2 ** (LAST_SHIFT - 1);
/** Premultiplied samples and averages have 4 bits after the point. */
const FINE_BITS = 4;
const FINE = 2 ** FINE_BITS;
const NO_ROW: Row = new Uint8Array();
/** The most samples that the Lanczos filter takes: boxes leave it a factor below 4. */
const MOST_TAPS = 24;
/** How many rows are added at a time. One at a time takes twice as long. */
const ROWS_AT_A_TIME = 4;

type Row = Uint8Array | Uint16Array;

/**
 * Writes a picture at a smaller size: averages of boxes while the factor is large, then a Lanczos filter down and across.
 * Works on the values as they are, as `vips thumbnail` does. Colors are weighted by their alpha.
 *
 * @param to not larger than the picture
 * @param made gets the samples, with the same channels
 */
export function resample(samples: Samples, to: Size, made: Uint8ClampedArray): void {
  const { channels, hasAlpha } = samples;
  const { width, height, fineBits, rowAt } = rowsOf(samples, to);
  const across = filterOf(width, to.width);
  const down = filterOf(height, to.height);
  const shift = WEIGHT_BITS + fineBits - VALUE_BITS;
  const sums = new Int32Array(channels * width);
  for (let y = 0; y < to.height; y++) {
    const start = down.starts[y] ?? 0;
    const rows = Array.from({ length: down.taps }, (_, tap) => rowAt(start + tap));
    sums.fill(2 ** (shift - 1));
    for (let tap = 0; tap < down.taps; tap += ROWS_AT_A_TIME)
      addWeighted(sums, rows.slice(tap), down.weights.subarray(y * down.taps + tap, (y + 1) * down.taps));
    for (let at = 0; at < sums.length; at++) sums[at] = (sums[at] as number) >> shift;
    const target = made.subarray(y * channels * to.width, (y + 1) * channels * to.width);
    if (channels === 1) filterOne(sums, across, target);
    else filterColors(sums, across, target, hasAlpha);
  }
}

/** The weights for each place of the result, along one axis. */
interface Filter {
  /** The number of samples for each place. */
  readonly taps: number;
  /** The first sample for each place. */
  readonly starts: Int32Array;
  /** `taps` weights for each place. Their sum is 1, in fixed point. */
  readonly weights: Int32Array;
}

function filterOf(from: number, to: number): Filter {
  const factor = from / to;
  const reach = LOBES * factor;
  // The weight at the reach itself is zero.
  const taps = Math.min(from, Math.ceil(2 * reach));
  const starts = new Int32Array(to);
  const weights = new Int32Array(to * taps);
  for (let place = 0; place < to; place++) {
    const center = (place + 0.5) * factor - 0.5;
    const first = Math.floor(center - reach) + 1;
    const last = Math.ceil(center + reach) - 1;
    const start = Math.max(0, Math.min(from - taps, first));
    const exact = new Float64Array(taps);
    let sum = 0;
    for (let sample = first; sample <= last; sample++) {
      const weight = lanczos((sample - center) / factor);
      // Beyond an edge, the sample at the edge is repeated.
      const tap = Math.max(0, Math.min(from - 1, sample)) - start;
      exact[tap] = (exact[tap] ?? 0) + weight;
      sum += weight;
    }
    starts[place] = start;
    let rest = 2 ** WEIGHT_BITS;
    let heaviest = place * taps;
    for (let tap = 0; tap < taps; tap++) {
      const weight = Math.round(((exact[tap] ?? 0) / sum) * 2 ** WEIGHT_BITS);
      const at = place * taps + tap;
      weights[at] = weight;
      rest -= weight;
      if (weight > (weights[heaviest] ?? 0)) heaviest = at;
    }
    // Otherwise rounding would make an even area darker or brighter.
    weights[heaviest] = (weights[heaviest] ?? 0) + rest;
  }
  return { taps, starts, weights };
}

function lanczos(x: number): number {
  if (x === 0) return 1;
  if (Math.abs(x) >= LOBES) return 0;
  const angle = Math.PI * x;
  return (LOBES * Math.sin(angle) * Math.sin(angle / LOBES)) / (angle * angle);
}

/** The rows of a picture before the Lanczos filter: its own, or averages of boxes. */
interface Rows extends Size {
  /** The bits after the point of the values. */
  readonly fineBits: number;
  /** Returns a row. Colors are premultiplied. Rows must be asked for in order; some earlier ones can be asked for again. */
  rowAt(y: number): Row;
}

function rowsOf(samples: Samples, to: Size): Rows {
  const { values, width, height, channels, hasAlpha } = samples;
  const boxLength = (factor: number) => Math.max(1, Math.floor(factor / FACTOR_AFTER_BOXES));
  const [boxWidth, boxHeight] = [boxLength(width / to.width), boxLength(height / to.height)];
  const stride = channels * width;
  const bytes = new Uint8Array(values.buffer, values.byteOffset, values.length);
  const ownRow = (y: number) => bytes.subarray(y * stride, (y + 1) * stride);
  if (boxWidth * boxHeight === 1 && !hasAlpha) return { width, height, fineBits: 0, rowAt: ownRow };

  const columns = Math.ceil(width / boxWidth);
  const sums = new Float64Array(channels * columns);
  const averageRow = (y: number): Row => {
    if (boxWidth * boxHeight === 1) return premultiplied(ownRow(y));
    sums.fill(0);
    const bottom = Math.min(height, (y + 1) * boxHeight);
    for (let from = y * boxHeight; from < bottom; from++)
      addBoxes(ownRow(from), { boxWidth, channels, hasAlpha }, sums);
    const row = new Uint16Array(sums.length);
    for (let column = 0, at = 0; column < columns; column++) {
      const count = Math.min(boxWidth, width - column * boxWidth) * (bottom - y * boxHeight);
      for (const end = at + channels; at < end; at++) row[at] = ((sums[at] as number) * FINE) / count + 0.5;
    }
    return row;
  };
  const kept = new Map<number, Row>();
  return {
    width: columns,
    height: Math.ceil(height / boxHeight),
    fineBits: FINE_BITS,
    rowAt(y) {
      const row = kept.get(y) ?? averageRow(y);
      kept.set(y, row);
      kept.delete(y - MOST_TAPS);
      return row;
    },
  };
}

/** Returns a row of four channels with its colors multiplied by alpha. */
function premultiplied(row: Uint8Array): Uint16Array {
  const made = new Uint16Array(row.length);
  for (let at = 0; at < row.length; at += 4) {
    const alpha = row[at + 3] as number;
    const scale = (FINE * alpha) / 255;
    made[at] = (row[at] as number) * scale + 0.5;
    made[at + 1] = (row[at + 1] as number) * scale + 0.5;
    made[at + 2] = (row[at + 2] as number) * scale + 0.5;
    made[at + 3] = alpha * FINE;
  }
  return made;
}

/** Adds the samples of a row to the sums of its boxes. */
function addBoxes(
  row: Uint8Array | Uint8ClampedArray,
  { boxWidth, channels, hasAlpha }: Pick<Samples, "channels" | "hasAlpha"> & { readonly boxWidth: number },
  sums: Float64Array,
): void {
  const boxLength = boxWidth * channels;
  for (let start = 0, at = 0; start < row.length; start += boxLength, at += channels) {
    const end = Math.min(row.length, start + boxLength);
    if (channels === 1) {
      let sum = 0;
      for (let index = start; index < end; index++) sum += row[index] as number;
      sums[at] = (sums[at] as number) + sum;
      continue;
    }
    let red = 0;
    let green = 0;
    let blue = 0;
    let opacity = 0;
    for (let index = start; index < end; index += 4) {
      const alpha = hasAlpha ? (row[index + 3] as number) / 255 : 1;
      red += (row[index] as number) * alpha;
      green += (row[index + 1] as number) * alpha;
      blue += (row[index + 2] as number) * alpha;
      opacity += alpha;
    }
    sums[at] = (sums[at] as number) + red;
    sums[at + 1] = (sums[at + 1] as number) + green;
    sums[at + 2] = (sums[at + 2] as number) + blue;
    sums[at + 3] = (sums[at + 3] as number) + 255 * opacity;
  }
}

/** Adds rows to sums, each with its weight. Missing rows count as none. */
function addWeighted(sums: Int32Array, rows: readonly Row[], weights: Int32Array): void {
  const [rowA = NO_ROW, rowB = rowA, rowC = rowA, rowD = rowA] = rows;
  const [a = 0, b = 0, c = 0, d = 0] = weights;
  for (let at = 0; at < sums.length; at++) {
    const one = Math.imul(a, rowA[at] as number) + Math.imul(b, rowB[at] as number);
    const two = Math.imul(c, rowC[at] as number) + Math.imul(d, rowD[at] as number);
    sums[at] = ((sums[at] as number) + one + two) | 0;
  }
}

/** Filters a row of one channel. */
function filterOne(row: Int32Array, { taps, starts, weights }: Filter, target: Uint8ClampedArray): void {
  for (let place = 0, first = 0; place < starts.length; place++, first += taps) {
    const start = starts[place] as number;
    let sum = LAST_HALF;
    for (let tap = 0; tap < taps; tap++)
      sum = (sum + Math.imul(weights[first + tap] as number, row[start + tap] as number)) | 0;
    target[place] = sum >> LAST_SHIFT;
  }
}

/** Filters a row of four channels. Undoes the multiplication by alpha. */
function filterColors(
  row: Int32Array,
  { taps, starts, weights }: Filter,
  target: Uint8ClampedArray,
  hasAlpha: boolean,
): void {
  for (let place = 0, first = 0, to = 0; place < starts.length; place++, first += taps, to += 4) {
    let red = 0;
    let green = 0;
    let blue = 0;
    let alpha = 0;
    for (let tap = 0, at = 4 * (starts[place] as number); tap < taps; tap++, at += 4) {
      const weight = weights[first + tap] as number;
      red = (red + Math.imul(weight, row[at] as number)) | 0;
      green = (green + Math.imul(weight, row[at + 1] as number)) | 0;
      blue = (blue + Math.imul(weight, row[at + 2] as number)) | 0;
      if (hasAlpha) alpha = (alpha + Math.imul(weight, row[at + 3] as number)) | 0;
    }
    target[to + 3] = hasAlpha ? alpha * 2 ** -LAST_SHIFT : 255;
    if (target[to + 3] === 0) continue;
    // Sums of color and alpha have the same point, so their quotient is from 0 to 1.
    const scale = hasAlpha ? 255 / alpha : 2 ** -LAST_SHIFT;
    target[to] = red * scale;
    target[to + 1] = green * scale;
    target[to + 2] = blue * scale;
  }
}
