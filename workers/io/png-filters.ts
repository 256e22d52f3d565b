/** The filter types of rows (PNG 3, clause 9). A filter stores differences from predicted values. */
export const PNG_FILTER = { none: 0, sub: 1, up: 2, average: 3, paeth: 4 } as const;

/**
 * Reverses a filter in place. Leaves a row with an unknown filter type as it is.
 *
 * @param above the row above, unfiltered. Zeros for the first row.
 * @param pixelBytes the bytes of a pixel, at least 1
 */
export function unfilterRow(filter: number, row: Uint8Array, above: Uint8Array, pixelBytes: number): void {
  const { length } = row;
  switch (filter) {
    case PNG_FILTER.sub:
      for (let at = pixelBytes; at < length; at++) {
        row[at] = (row[at] as number) + (row[at - pixelBytes] as number);
      }
      return;
    case PNG_FILTER.up:
      for (let at = 0; at < length; at++) row[at] = (row[at] as number) + (above[at] as number);
      return;
    case PNG_FILTER.average:
      for (let at = 0; at < length; at++) {
        const left = at < pixelBytes ? 0 : (row[at - pixelBytes] as number);
        row[at] = (row[at] as number) + ((left + (above[at] as number)) >> 1);
      }
      return;
    case PNG_FILTER.paeth:
      for (let at = 0; at < length; at++) {
        const left = at < pixelBytes ? 0 : (row[at - pixelBytes] as number);
        const upLeft = at < pixelBytes ? 0 : (above[at - pixelBytes] as number);
        row[at] = (row[at] as number) + paeth(left, above[at] as number, upLeft);
      }
      return;
    default:
      return;
  }
}

/** Returns the value among three neighbors that is closest to `left + up - upLeft`. */
export function paeth(left: number, up: number, upLeft: number): number {
  const toLeft = Math.abs(up - upLeft);
  const toUp = Math.abs(left - upLeft);
  const toUpLeft = Math.abs(left + up - 2 * upLeft);
  if (toLeft <= toUp && toLeft <= toUpLeft) return left;
  return toUp <= toUpLeft ? up : upLeft;
}
