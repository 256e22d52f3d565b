import { Deflater } from "../io/deflater.ts";
import { PNG_FILTER, paeth } from "../io/png-filters.ts";
import type { ExactPicture } from "./exact-picture.ts";

/** The filters that are tried for each row. */
const FILTERS = [PNG_FILTER.none, PNG_FILTER.sub, PNG_FILTER.up, PNG_FILTER.paeth] as const;

/**
 * Deflates the exact samples of a picture. Each row has the PNG filter with the smallest sum of differences (PNG 3, 12.7).
 *
 * @returns data for `FlateDecode` with the predictor 15
 */
export async function compressSamples(picture: ExactPicture): Promise<Uint8Array<ArrayBuffer>> {
  const pixelBytes = picture.layout === "gray" ? 1 : 3;
  const length = pixelBytes * picture.width;
  const deflater = new Deflater();
  let row = new Uint8Array(length);
  let above = new Uint8Array(length);
  const filtered = new Uint8Array(length);
  for (let y = 0; y < picture.height; y++) {
    readRow(picture, y, row);
    const best = bestFilter(row, above, pixelBytes, filtered);
    const output = deflater.next(1 + length);
    output[0] = best;
    filterRow(best, row, above, pixelBytes, filtered);
    output.set(filtered, 1);
    [row, above] = [above, row];
    await deflater.ready;
  }
  return deflater.end();
}

function readRow(picture: ExactPicture, y: number, row: Uint8Array): void {
  const { width } = picture;
  if (picture.layout === "gray") {
    row.set(picture.samples.subarray(y * width, (y + 1) * width));
    return;
  }
  const { pixels } = picture;
  for (let to = 0, at = 4 * y * width; to < row.length; to += 3, at += 4) {
    row[to] = pixels[at] as number;
    row[to + 1] = pixels[at + 1] as number;
    row[to + 2] = pixels[at + 2] as number;
  }
}

function bestFilter(row: Uint8Array, above: Uint8Array, pixelBytes: number, filtered: Uint8Array): number {
  let best: number = PNG_FILTER.none;
  let least = Infinity;
  for (const filter of FILTERS) {
    filterRow(filter, row, above, pixelBytes, filtered);
    let sum = 0;
    for (const value of filtered) sum += value < 128 ? value : 256 - value;
    if (sum >= least) continue;
    least = sum;
    best = filter;
  }
  return best;
}

/** Writes the differences of a row from what a filter predicts. */
function filterRow(
  filter: number,
  row: Uint8Array,
  above: Uint8Array,
  pixelBytes: number,
  into: Uint8Array,
): void {
  for (let at = 0; at < row.length; at++) {
    const left = at < pixelBytes ? 0 : (row[at - pixelBytes] as number);
    const up = above[at] as number;
    const value = row[at] as number;
    if (filter === PNG_FILTER.none) into[at] = value;
    else if (filter === PNG_FILTER.sub) into[at] = value - left;
    else if (filter === PNG_FILTER.up) into[at] = value - up;
    else into[at] = value - paeth(left, up, at < pixelBytes ? 0 : (above[at - pixelBytes] as number));
  }
}
