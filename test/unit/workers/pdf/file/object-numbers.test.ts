import { describe, expect, it } from "vitest";
import { NumberSet, OBJECT_NUMBER_LIMIT } from "../../../../../workers/pdf/file/cross-reference.ts";
import { ObjectCache } from "../../../../../workers/pdf/file/object-cache.ts";
import { ObjectNumbers } from "../../../../../workers/pdf/file/object-numbers.ts";
import { PdfRef } from "../../../../../workers/pdf/syntax/objects.ts";

describe("NumberSet", () => {
  it("has what was added, and nothing beside it", () => {
    const set = new NumberSet();
    const added = new Set([0, 1, 8, 1_000, 70_001, OBJECT_NUMBER_LIMIT]);
    for (const num of added) set.add(num);
    for (const num of [...added, 2, 7, 9, 999, 70_000, OBJECT_NUMBER_LIMIT - 1]) {
      expect(set.has(num)).toBe(added.has(num));
    }
  });

  it("knows nothing of numbers that no object has", () => {
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

  it("gives what follows the highest number that is taken", () => {
    const numbers = new ObjectNumbers(4, false);
    numbers.take(7);
    numbers.take(6);
    numbers.foresee(new PdfRef(9, 0));
    expect(given(numbers, 3)).toEqual([8, 9, 10]);
  });

  it("gives none that a reference names where one may lead nowhere, and what is spare first", () => {
    const numbers = new ObjectNumbers(10, true);
    for (const num of [2, 5, 7]) numbers.spare(num);
    numbers.foresee([new PdfRef(5, 0), [new PdfRef(11, 3)], new PdfRef(OBJECT_NUMBER_LIMIT + 1, 0)]);
    expect(given(numbers, 4)).toEqual([2, 7, 12, 13]);
  });

  it("says so when there is none left", () => {
    const numbers = new ObjectNumbers(OBJECT_NUMBER_LIMIT - 2, true);
    numbers.foresee(new PdfRef(OBJECT_NUMBER_LIMIT, 0));
    expect(numbers.allocate()).toBe(OBJECT_NUMBER_LIMIT - 1);
    expect(() => numbers.allocate()).toThrow(expect.objectContaining({ code: "input_too_large" }));
  });
});

describe("ObjectCache", () => {
  it("keeps what is asked for, and lets go what is not", () => {
    const cache = new ObjectCache();
    cache.keep(1, 100, 10);
    cache.keep(2, 200, 10);
    for (let num = 10; num < 10_000; num++) {
      cache.keep(num, num, 10);
      expect(cache.get(1)).toBe(100);
    }
    expect(cache.get(2)).toBeUndefined();
    expect(cache.get(9_999)).toBe(9_999);
    cache.clear();
    expect(cache.get(1)).toBeUndefined();
  });

  it("keeps a bounded number of bytes, what is asked for again included", () => {
    const cache = new ObjectCache();
    const megabyte = 1024 * 1024;
    for (let num = 1; num <= 60; num++) {
      cache.keep(num, null, 6 * megabyte);
      for (let other = 1; other < num; other++) cache.get(other);
    }
    const kept = Array.from({ length: 60 }, (_, index) => cache.get(index + 1)).filter(
      (value) => value !== undefined,
    );
    expect(kept.length * 6).toBeLessThanOrEqual(32);
  });
});
