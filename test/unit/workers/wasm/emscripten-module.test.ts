import { describe, expect, test } from "vitest";
import { runCodec } from "../../../../workers/wasm/emscripten-module.ts";

/** A module with one function, which has this body. */
const moduleOf = (...body: readonly number[]) =>
  Uint8Array.of(
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...[1, 4, 1, 0x60, 0, 0],
    ...[3, 2, 1, 0],
    ...[7, 7, 1, 3, 0x72, 0x75, 0x6e, 0, 0],
    ...[10, body.length + 4, 1, body.length + 2, 0, ...body, 0x0b],
  );
/** `unreachable`. */
const TRAP = moduleOf(0);
/** The function calls itself twice, so that it is no loop. */
const ENDLESS = moduleOf(0x10, 0, 0x10, 0);

function call(bytes: Uint8Array<ArrayBuffer>): unknown {
  const { run } = new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports;
  return runCodec(run as () => unknown);
}

describe("runCodec", () => {
  test("returns what the codec returns", () => {
    expect(runCodec(() => 7)).toBe(7);
  });

  test("returns undefined for a codec that traps", () => {
    expect(call(TRAP)).toBeUndefined();
  });

  test("returns undefined for a codec that fills the stack", () => {
    expect(call(ENDLESS)).toBeUndefined();
  });

  test("returns undefined for a codec that exits", () => {
    const exit = { name: "ExitStatus", message: "Program terminated with exit(1)", status: 1 };
    const codec = () => {
      throw exit;
    };
    expect(runCodec(codec)).toBeUndefined();
  });

  test.each([
    new WebAssembly.RuntimeError("Aborted(OOM). Build with -sASSERTIONS for more info."),
    new RangeError("Array buffer allocation failed"),
  ])("throws out_of_memory for %s", (thrown) => {
    const codec = () => {
      throw thrown;
    };
    expect(() => runCodec(codec)).toThrow(expect.objectContaining({ code: "out_of_memory" }));
  });

  test("throws other errors", () => {
    const codec = () => {
      throw new TypeError("not a function");
    };
    expect(() => runCodec(codec)).toThrow(TypeError);
  });
});
