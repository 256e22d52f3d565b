import { describe, expect, test } from "vitest";
import { lanczosFilter } from "../../../../../workers/image/picture/lanczos.ts";

describe("lanczosFilter", () => {
  test.each([
    [4000, 1600, 8],
    [500, 499, 2],
    [1001, 3, 8],
    [65_535, 1, 2],
    [7, 7, 8],
    [1, 1, 2],
  ])("%i to %i: the weights of each place add up to 1", (from, to, tapMultiple) => {
    const { taps, starts, weights } = lanczosFilter(from, to, tapMultiple);
    expect(taps % tapMultiple).toBe(0);
    expect(starts).toHaveLength(to);
    for (const [place, start] of starts.entries()) {
      const own = weights.subarray(place * taps, (place + 1) * taps);
      expect(own.reduce((sum, weight) => sum + weight, 0)).toBe(2 ** 14);
      expect(start).toBeGreaterThanOrEqual(0);
      // The weights that fill up are zero.
      expect(own.subarray(from - start).every((weight) => weight === 0)).toBe(true);
    }
  });

  test("keeps samples when the size stays", () => {
    const { taps, starts, weights } = lanczosFilter(9, 9, 8);
    for (const [place, start] of starts.entries()) {
      const own = [...weights.subarray(place * taps, (place + 1) * taps)];
      expect(own.map((weight, tap) => [start + tap, weight]).filter(([, weight]) => weight !== 0)).toEqual([
        [place, 2 ** 14],
      ]);
    }
  });

  test("takes the samples within three places of the result", () => {
    expect(lanczosFilter(1000, 500, 1).taps).toBe(12);
    expect(lanczosFilter(1000, 100, 1).taps).toBe(60);
  });
});
