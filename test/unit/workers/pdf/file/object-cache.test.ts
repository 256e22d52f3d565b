import { describe, expect, it } from "vitest";
import { ObjectCache } from "../../../../../workers/pdf/file/object-cache.ts";

const largeArray = () => Array.from({ length: 120_000 }, () => []);

describe("ObjectCache", () => {
  it.each([
    { what: "256 objects", bytes: 10, most: 256 },
    { what: "32 MB", bytes: 6 * 1024 * 1024, most: 5 },
  ])("keeps at most $what, at least half of them, and those in use", ({ bytes, most }) => {
    const cache = new ObjectCache();
    const numbers = Array.from({ length: 1000 }, (_, index) => index + 1);
    for (const num of numbers) {
      cache.keep(num, num, bytes);
      expect(cache.get(1)).toBe(1);
    }
    const found = (some: number[]) => some.filter((num) => cache.get(num) !== undefined);
    expect(found(numbers.slice(1, -most))).toEqual([]);
    const latest = numbers.slice(1 - Math.floor(most / 2));
    expect(found([1, ...latest])).toEqual([1, ...latest]);
  });

  it("keeps the latest object that is too large for the room of all", () => {
    const cache = new ObjectCache();
    const first = largeArray();
    const second = largeArray();
    cache.keep(1, first, 500_000);
    for (let num = 10; num < 1000; num++) cache.keep(num, num, 10);
    expect(cache.get(1)).toBe(first);
    cache.keep(2, second, 500_000);
    expect(cache.get(1)).toBeUndefined();
    expect(cache.get(2)).toBe(second);
    cache.clear();
    expect([cache.get(2), cache.get(999)]).toEqual([undefined, undefined]);
  });
});
