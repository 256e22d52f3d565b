import { expect, test, vi } from "vitest";
import { decodeWebp } from "../../../../../../../workers/image/formats/webp/wasm/webp-decoder.ts";

/** The number of instances, and what the next one does. It returns 0 for a sound picture. */
const engine = vi.hoisted(() => ({ made: 0, decode: (): number => 0 }));

vi.mock("../../../../../../../workers/wasm/linked-module.ts", () => ({
  LinkedModule: class {
    readonly number = engine.made++;
    readonly exports = {
      decode: () => engine.decode(),
      pixels: () => 0,
      width: () => 1,
      height: () => 1,
    };

    put = () => 0;
    view = () => new Uint8Array(4);
  },
}));

test.each([
  ["traps", new WebAssembly.RuntimeError("memory access out of bounds")],
  ["fills the stack", new RangeError("Maximum call stack size exceeded")],
])("a picture whose decoder %s is damaged, and the next one gets another instance", (_, thrown) => {
  const module = {} as WebAssembly.Module;
  engine.made = 0;
  engine.decode = () => {
    throw thrown;
  };
  expect(decodeWebp(module, new Uint8Array(4))).toBeNull();
  engine.decode = () => 0;
  expect(decodeWebp(module, new Uint8Array(4))).toMatchObject({ width: 1, height: 1 });
  expect(engine.made).toBe(2);
});
