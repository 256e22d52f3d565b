import { describe, expect, it } from "vitest";
import {
  CrossReference,
  type Entry,
  OBJECT_NUMBER_LIMIT,
} from "../../../../../workers/pdf/file/cross-reference.ts";

const inFile = (offset: number): Entry => ({ kind: "file", offset, gen: 0 });

describe("CrossReference", () => {
  it("returns entries in the order of their numbers", () => {
    const table = new CrossReference();
    table.add(70_000, { kind: "packed", objectStream: 9, index: 3 });
    table.add(1, inFile(2 ** 40));
    table.add(2, { kind: "free" });
    expect([...table.entries()]).toEqual([
      [1, inFile(2 ** 40)],
      [2, { kind: "free" }],
      [70_000, { kind: "packed", objectStream: 9, index: 3 }],
    ]);
    expect(table.highest).toBe(70_000);
  });

  it("keeps the first added entry, and replaces it by replace", () => {
    const table = new CrossReference();
    table.add(5, { kind: "free" });
    table.add(5, inFile(10));
    expect(table.get(5)).toEqual({ kind: "free" });
    table.replace(5, inFile(20));
    expect(table.get(5)).toEqual(inFile(20));
  });

  it("ignores invalid object numbers", () => {
    const table = new CrossReference();
    table.add(5, inFile(10));
    for (const num of [0, -1, OBJECT_NUMBER_LIMIT + 1, 2 ** 32 + 5, 2 ** 53]) {
      table.add(num, inFile(99));
      expect(table.get(num)).toBeUndefined();
    }
    expect([...table.entries()]).toEqual([[5, inFile(10)]]);
  });

  it("takes memory for entries, not for high numbers", () => {
    const before = process.memoryUsage().arrayBuffers;
    const tables = Array.from({ length: 20 }, () => {
      const table = new CrossReference();
      table.add(OBJECT_NUMBER_LIMIT, inFile(10));
      return table;
    });
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(4e6);
    expect(tables.every(({ highest }) => highest === OBJECT_NUMBER_LIMIT)).toBe(true);
  });
});
