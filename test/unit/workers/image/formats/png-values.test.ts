import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test, vi } from "vitest";
import { ROOT } from "../../../../../scripts/dependencies.mjs";
import { decodePng, encodePng } from "../../../../../workers/image/formats/png-values.ts";

// png-values.ts uses the engine without the bindings of the package, which keep one instance forever. When an update changes
// what the engine imports or exports, these tests fail, and png-values.ts has to follow.

const module = new WebAssembly.Module(
  readFileSync(join(ROOT, "node_modules/@jsquash/png/codec/pkg/squoosh_png_bg.wasm")),
);

beforeAll(() => {
  vi.stubGlobal(
    "ImageData",
    class {
      readonly data: Uint8ClampedArray;
      readonly width: number;
      readonly height: number;
      constructor(data: Uint8ClampedArray, width: number, height: number) {
        this.data = data;
        this.width = width;
        this.height = height;
      }
    },
  );
  return () => vi.unstubAllGlobals();
});

test("the engine has the imports and exports that png.ts uses", () => {
  const withoutHash = ({ name }: { name: string }) => name.replace(/_[0-9a-f]{16}$/, "");
  // Exactly one makes a picture. The others are for 16 bits and for errors, and fail when they are called.
  expect(WebAssembly.Module.imports(module).map(withoutHash).toSorted()).toEqual([
    "__wbg_buffer",
    "__wbg_newwithbyteoffsetandlength",
    "__wbg_newwithownedu8clampedarrayandsh",
    "__wbindgen_memory",
    "__wbindgen_object_drop_ref",
    "__wbindgen_throw",
  ]);
  const functions = ["__wbindgen_add_to_stack_pointer", "__wbindgen_malloc", "decode", "encode", "memory"];
  expect(WebAssembly.Module.exports(module).map(({ name }) => name)).toEqual(
    expect.arrayContaining(functions),
  );
});

test("decodes what it has encoded, with exact values below alpha", async () => {
  const pixels = Uint8ClampedArray.from({ length: 4 * 6 }, (_, at) => (at * 37) % 256);
  const file = await encodePng(module, pixels, 3, 2);
  const { data, width, height } = await decodePng(module, file);
  expect([width, height, ...data]).toEqual([3, 2, ...pixels]);
});

test("throws for data that is no PNG", async () => {
  await expect(decodePng(module, new Uint8Array(100))).rejects.toThrow();
});
