import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { huffmanCodes, huffmanTable } from "../../../../../workers/codecs/jpeg/huffman.ts";

describe("huffmanTable", () => {
  const codesFor = (counts: readonly number[]) => huffmanCodes(huffmanTable(counts));
  const lengthsFor = (counts: readonly number[]) =>
    [...codesFor(counts)].sort((one, other) => one.symbol - other.symbol).map(({ length }) => length);

  test("gives each symbol that occurs a prefix code of at most 16 bits, none of ones only", () => {
    const counts = fc.array(fc.oneof(fc.constant(0), fc.nat(5), fc.nat(1 << 24)), { maxLength: 256 });
    fc.assert(
      fc.property(counts, (counts) => {
        const codes = codesFor(counts);
        expect(codes.map(({ symbol }) => symbol).sort((a, b) => a - b)).toEqual(
          [...counts.keys()].filter((symbol) => (counts[symbol] ?? 0) > 0),
        );
        const bits = codes.map(({ code, length }) => code.toString(2).padStart(length, "0")).sort();
        for (const [index, code] of bits.entries()) {
          expect(code.length).toBeLessThanOrEqual(16);
          expect(bits[index + 1]?.startsWith(code) ?? false).toBe(false);
          expect(code).toContain("0");
        }
      }),
    );
  });

  test("gives the shortest codes", () => {
    expect(lengthsFor([16, 8, 4, 2, 1])).toEqual([1, 2, 3, 4, 5]);
    expect(lengthsFor(new Array(127).fill(3))).toEqual(new Array(127).fill(7));
  });

  test("limits the length to 16 bits", () => {
    const lengths = lengthsFor(Array.from({ length: 40 }, (_, index) => 2 ** index));
    expect(Math.max(...lengths)).toBe(16);
    expect(lengths[39]).toBe(1);
  });
});
