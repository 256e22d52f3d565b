import { expect, test } from "vitest";
import { divideByAlpha } from "../../../../../workers/image/picture/divide-by-alpha.ts";

test.each([
  ["divides colors by alpha", [10, 20, 40, 51], [50, 100, 200, 51]],
  ["rounds halves to even", [1, 3, 5, 170], [2, 4, 8, 170]],
  ["limits colors above their alpha", [200, 100, 99, 100], [255, 255, 252, 100]],
  ["leaves opaque pixels", [1, 2, 3, 255], [1, 2, 3, 255]],
  ["leaves transparent pixels", [1, 2, 3, 0], [1, 2, 3, 0]],
])("%s", (_, pixel, expected) => {
  const pixels = Uint8ClampedArray.from(pixel);
  divideByAlpha(pixels);
  expect([...pixels]).toEqual(expected);
});
