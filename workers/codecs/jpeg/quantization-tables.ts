/** The tables that the standard gives as examples (ITU-T T.81, annex K.1) and all encoders scale, row by row. */
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

/** By what the coefficients of a block are divided, row by row. */
export interface Quantizers {
  readonly luma: readonly number[];
  readonly chroma: readonly number[];
}

/**
 * The quantizers for a quality.
 *
 * @param quality from 0 to 1, by the scale of libjpeg, which browsers take too
 */
export function quantizersOf(quality: number): Quantizers {
  const percent = Math.min(100, Math.max(1, Math.round(100 * quality)));
  const scale = percent < 50 ? Math.floor(5000 / percent) : 200 - 2 * percent;
  const scaled = (value: number) => Math.min(255, Math.max(1, Math.floor((value * scale + 50) / 100)));
  return { luma: LUMA.map(scaled), chroma: CHROMA.map(scaled) };
}

/** For each place in zigzag order (ITU-T T.81, Figure A.6), which coefficient is there, counted row by row. */
export const ZIGZAG: readonly number[] = Array.from({ length: 64 }, (_, index) => index).sort(
  (one, other) => {
    const [a, b] = [diagonal(one), diagonal(other)];
    // Every other diagonal goes down.
    return a - b || (a % 2 === 0 ? other - one : one - other);
  },
);

function diagonal(index: number): number {
  return (index >> 3) + (index & 7);
}
