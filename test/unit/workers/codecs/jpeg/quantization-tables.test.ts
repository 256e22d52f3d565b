import { expect, test } from "vitest";
import { quantizationTables, ZIGZAG } from "../../../../../workers/codecs/jpeg/quantization-tables.ts";

test("quantizationTables gives the tables of libjpeg for a quality", () => {
  expect(quantizationTables(0.5).luma.slice(0, 4)).toEqual([16, 11, 10, 16]);
  expect(quantizationTables(0.75).luma.slice(0, 4)).toEqual([8, 6, 5, 8]);
  expect(quantizationTables(0.92).chroma.slice(0, 4)).toEqual([3, 3, 4, 8]);
  expect(quantizationTables(0).luma.every((step) => step === 255)).toBe(true);
});

test("ZIGZAG starts with the coefficients of figure A.6", () => {
  expect(ZIGZAG.slice(0, 10)).toEqual([0, 1, 8, 16, 9, 2, 3, 10, 17, 24]);
});
