import { describe, expect, it } from "vitest";
import { ObjectCache } from "../../../../../workers/pdf/file/object-cache.ts";

const largeArray = () => Array.from({ length: 120_000 }, () => []);

describe("ObjectCache", () => {
  it("keeps an object until half of the room has been used twice", () => {
    const cache = new ObjectCache();
    cache.keep(1, 7, 10);
    for (let num = 2; num < 130; num++) cache.keep(num, num, 10);
    expect(cache.get(1)).toBe(7);
    for (let num = 200; num < 400; num++) cache.keep(num, num, 10);
    for (let num = 400; num < 600; num++) cache.keep(num, num, 10);
    expect(cache.get(1)).toBeUndefined();
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
  });

  it("forgets all objects when it is cleared", () => {
    const cache = new ObjectCache();
    cache.keep(1, 7, 10);
    cache.keep(2, largeArray(), 500_000);
    cache.clear();
    expect([cache.get(1), cache.get(2)]).toEqual([undefined, undefined]);
  });
});
