import { PNG_FILTER as FILTER, paeth } from "../../../io/png-filters.ts";

/** The number of bytes of a row from which a filter is chosen. */
const SAMPLED_BYTES = 512;

/** Filters a row with the best filter type. Writes the filter type and the filtered bytes to `out`. */
export function filterRow(row: Uint8Array, above: Uint8Array, pixelBytes: number, out: Uint8Array): void {
  const filter = bestFilter(row, above, pixelBytes);
  const { length } = row;
  out[0] = filter;
  switch (filter) {
    case FILTER.sub:
      for (let at = 0; at < length; at++) {
        out[at + 1] = (row[at] as number) - (at < pixelBytes ? 0 : (row[at - pixelBytes] as number));
      }
      return;
    case FILTER.up:
      for (let at = 0; at < length; at++) out[at + 1] = (row[at] as number) - (above[at] as number);
      return;
    case FILTER.paeth:
      for (let at = 0; at < length; at++) {
        const left = at < pixelBytes ? 0 : (row[at - pixelBytes] as number);
        const upLeft = at < pixelBytes ? 0 : (above[at - pixelBytes] as number);
        out[at + 1] = (row[at] as number) - paeth(left, above[at] as number, upLeft);
      }
      return;
    default:
      out.set(row, 1);
  }
}

/** Returns the filter with the smallest differences, from a sample of the row. */
function bestFilter(row: Uint8Array, above: Uint8Array, pixelBytes: number): number {
  const step = Math.max(1, Math.floor(row.length / SAMPLED_BYTES));
  let none = 0;
  let sub = 0;
  let up = 0;
  let both = 0;
  for (let at = pixelBytes; at < row.length; at += step) {
    const value = row[at] as number;
    const left = row[at - pixelBytes] as number;
    const over = above[at] as number;
    none += distance(value);
    sub += distance(value - left);
    up += distance(value - over);
    both += distance(value - paeth(left, over, above[at - pixelBytes] as number));
  }
  const least = Math.min(none, sub, up, both);
  if (least === none) return FILTER.none;
  if (least === sub) return FILTER.sub;
  return least === up ? FILTER.up : FILTER.paeth;
}

/** Returns the absolute value of a difference that is stored in a byte. */
function distance(difference: number): number {
  const byte = difference & 255;
  return byte < 128 ? byte : 256 - byte;
}
