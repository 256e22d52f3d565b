import { expect, test } from "vitest";
import { defaultScalingFactors } from "../../../../../workers/codecs/hevc/scaling-lists.ts";

test("default scaling factors are flat for 4 × 4 and those of table 7-6 for larger blocks", () => {
  const factors = defaultScalingFactors();
  expect(factors.length).toBe(3 * (16 + 64 + 256) + 1024);
  expect([...factors.subarray(0, 48)]).toEqual(new Array(48).fill(16));
  const size8 = factors.subarray(48, 48 + 64);
  expect([...size8.subarray(0, 8)]).toEqual([16, 16, 16, 16, 17, 18, 21, 24]);
  expect([...size8.subarray(56)]).toEqual([24, 25, 29, 36, 47, 65, 88, 115]);
  // The matrix is symmetric.
  for (let y = 0; y < 8; y++) for (let x = 0; x < 8; x++) expect(size8[8 * y + x]).toBe(size8[8 * x + y]);
  // Each factor stands for 4 × 4 coefficients of size 32.
  const size32 = factors.subarray(-1024);
  expect(size32.every((factor, at) => factor === size8[8 * (at >> 7) + ((at & 31) >> 2)])).toBe(true);
});
