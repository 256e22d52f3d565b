import { describe, expect, test } from "vitest";
import { withMemoryLimit } from "../../../../workers/wasm/memory-limit.ts";

/** A module with an export `memory` of at least 300 pages, and a section of 200 bytes before it. */
function moduleWith(memory: readonly number[]): Uint8Array<ArrayBuffer> {
  const custom = [0, 0xc8, 0x01, 1, 0x61, ...new Array<number>(198).fill(7)];
  const exported = [7, 10, 1, 6, ...new TextEncoder().encode("memory"), 2, 0];
  return Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, ...custom, 5, memory.length, ...memory, ...exported);
}

async function memoryOf(file: Uint8Array<ArrayBuffer>): Promise<WebAssembly.Memory> {
  const { instance } = await WebAssembly.instantiate(file);
  return instance.exports.memory as WebAssembly.Memory;
}

describe("withMemoryLimit", () => {
  const unlimited = moduleWith([1, 0, 0xac, 0x02]);

  test("limits how far the memory of a module grows", async () => {
    const memory = await memoryOf(withMemoryLimit(unlimited, 20_000));
    expect(memory.buffer.byteLength).toBe(300 * 2 ** 16);
    memory.grow(100);
    expect(() => memory.grow(19_601)).toThrow(RangeError);
    expect(() => memory.grow(50)).not.toThrow();
    expect((await memoryOf(unlimited)).grow(20_000)).toBe(300);
  });

  test("throws for a module that has a limit, or no memory of its own", () => {
    expect(() => withMemoryLimit(moduleWith([1, 1, 1, 2]), 9)).toThrow("no memory without a limit");
    expect(() => withMemoryLimit(unlimited.subarray(0, 8), 9)).toThrow("no memory without a limit");
  });
});
