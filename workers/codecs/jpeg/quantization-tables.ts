/** The example tables of ITU-T T.81 (annex K.1), which all encoders scale, row by row. */
const LUMA = [
  16, 11, 10, 16, 24, 40, 51, 61, 12, 12, 14, 19, 26, 58, 60, 55, 14, 13, 16, 24, 40, 57, 69, 56, 14, 17, 22,
  29, 51, 87, 80, 62, 18, 22, 37, 56, 68, 109, 103, 77, 24, 35, 55, 64, 81, 104, 113, 92, 49, 64, 78, 87, 103,
  121, 120, 101, 72, 92, 95, 98, 112, 100, 103, 99,
];
const CHROMA = [
  17, 18, 24, 47, 99, 99, 99, 99, 18, 21, 26, 66, 99, 99, 99, 99, 24, 26, 56, 99, 99, 99, 99, 99, 47, 66, 99,
  99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99,
  99, 99, 99, 99, 99, 99, 99, 99, 99, 99,
];

/** The step sizes of the coefficients of a block (B.2.4.1), row by row. */
export interface QuantizationTables {
  readonly luma: readonly number[];
  readonly chroma: readonly number[];
}

/**
 * Returns the quantization tables for a quality.
 *
 * @param quality from 0 to 1, on the scale of libjpeg, which browsers use as well
 */
export function quantizationTables(quality: number): QuantizationTables {
  const percent = Math.min(100, Math.max(1, Math.round(100 * quality)));
  const scale = percent < 50 ? Math.floor(5000 / percent) : 200 - 2 * percent;
  const scaled = (step: number) => Math.min(255, Math.max(1, Math.floor((step * scale + 50) / 100)));
  return { luma: LUMA.map(scaled), chroma: CHROMA.map(scaled) };
}

/** The zigzag sequence (figure A.6): the row-by-row index of each coefficient. */
export const ZIGZAG: readonly number[] = Array.from({ length: 64 }, (_, index) => index).sort(
  (one, other) => {
    const [a, b] = [diagonal(one), diagonal(other)];
    // The direction alternates between diagonals.
    return a - b || (a % 2 === 0 ? other - one : one - other);
  },
);

function diagonal(index: number): number {
  return (index >> 3) + (index & 7);
}
