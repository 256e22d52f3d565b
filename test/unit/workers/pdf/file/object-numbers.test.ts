import { describe, expect, it } from "vitest";
import { NumberSet, OBJECT_NUMBER_LIMIT } from "../../../../../workers/pdf/file/cross-reference.ts";
import { ObjectNumbers } from "../../../../../workers/pdf/file/object-numbers.ts";
import { PdfRef } from "../../../../../workers/pdf/syntax/objects.ts";

describe("NumberSet", () => {
  it("has the added numbers only", () => {
    const set = new NumberSet();
    const added = new Set([0, 1, 8, 1_000, 70_001, OBJECT_NUMBER_LIMIT]);
    for (const num of added) set.add(num);
    for (const num of [...added, 2, 7, 9, 999, 70_000, OBJECT_NUMBER_LIMIT - 1]) {
      expect(set.has(num)).toBe(added.has(num));
    }
  });

  it("ignores invalid object numbers", () => {
    const set = new NumberSet();
    set.add(5);
    for (const num of [-1, OBJECT_NUMBER_LIMIT + 1, 2 ** 35 + 5, 2 ** 53, Number.NaN]) {
      set.add(num);
      expect(set.has(num)).toBe(false);
    }
  });
});

describe("ObjectNumbers", () => {
  const given = (numbers: ObjectNumbers, count: number) =>
    Array.from({ length: count }, () => numbers.allocate());

  it("allocates the numbers after the highest used one", () => {
    const numbers = new ObjectNumbers(4, false);
    numbers.take(7);
    numbers.take(6);
    numbers.recordReferences(new PdfRef(9, 0));
    expect(given(numbers, 3)).toEqual([8, 9, 10]);
  });

  it("allocates free numbers first, and none that a dangling reference names", () => {
    const numbers = new ObjectNumbers(10, true);
    for (const num of [2, 5, 7]) numbers.release(num);
    numbers.recordReferences([new PdfRef(5, 0), [new PdfRef(11, 3)], new PdfRef(OBJECT_NUMBER_LIMIT + 1, 0)]);
    expect(given(numbers, 4)).toEqual([2, 7, 12, 13]);
  });

  it("throws input_too_large when no number is left", () => {
    const numbers = new ObjectNumbers(OBJECT_NUMBER_LIMIT - 2, true);
    numbers.recordReferences(new PdfRef(OBJECT_NUMBER_LIMIT, 0));
    expect(numbers.allocate()).toBe(OBJECT_NUMBER_LIMIT - 1);
    expect(() => numbers.allocate()).toThrow(expect.objectContaining({ code: "input_too_large" }));
  });
});
