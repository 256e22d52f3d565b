import { describe, expect, it } from "vitest";
import { ObjectCache } from "../../../../../workers/pdf/file/object-cache.ts";

const largeArray = () => Array.from({ length: 120_000 }, () => []);

describe("ObjectCache", () => {
  it("keeps objects in use and drops others", () => {
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

  it("keeps at most 32 MB", () => {
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
