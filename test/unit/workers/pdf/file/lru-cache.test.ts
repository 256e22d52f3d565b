import { describe, expect, it } from "vitest";
import { LruCache } from "../../../../../workers/pdf/file/lru-cache.ts";

describe("LruCache", () => {
  it("keeps values in use and drops others", () => {
    const cache = new LruCache<number>(1000);
    cache.add(1, 100, 10);
    cache.add(2, 200, 10);
    for (let num = 10; num < 1000; num++) {
      cache.add(num, num, 10);
      expect(cache.get(1)).toBe(100);
    }
    expect(cache.get(2)).toBeUndefined();
    expect(cache.get(999)).toBe(999);
  });

  it("keeps at most so many bytes", () => {
    const cache = new LruCache<number>(32);
    for (let num = 1; num <= 60; num++) {
      cache.add(num, num, 6);
      for (let other = 1; other < num; other++) cache.get(other);
    }
    const kept = Array.from({ length: 60 }, (_, index) => cache.get(index + 1));
    expect(kept.filter((value) => value !== undefined).length * 6).toBeLessThanOrEqual(32);
  });

  it("keeps the latest value whatever its size", () => {
    const cache = new LruCache<string>(32);
    cache.add(1, "small", 6);
    cache.add(2, "large", 600);
    expect(cache.get(2)).toBe("large");
    expect(cache.get(1)).toBeUndefined();
    cache.add(3, "next", 6);
    expect(cache.get(2)).toBeUndefined();
    expect(cache.get(3)).toBe("next");
  });

  it("forgets all values when it is cleared", () => {
    const cache = new LruCache<number>(32);
    cache.add(1, 7, 10);
    cache.clear();
    expect(cache.get(1)).toBeUndefined();
  });
});
