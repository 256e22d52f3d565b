import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { NATIVE_LIBRARIES } from "../../../../scripts/native-libraries.mjs";
import { LinkedModule } from "../../../../workers/wasm/linked-module.ts";

const FILES = {
  "mozjpeg-decoder.wasm": "formats/jpg",
  "mozjpeg-encoder.wasm": "formats/jpg",
  "webp-decoder.wasm": "formats/webp",
  "webp-encoder.wasm": "formats/webp",
  "little-cms.wasm": "color",
};

function compiled(name: keyof typeof FILES): WebAssembly.Module {
  const folder = new URL(`../../../../workers/image/${FILES[name]}/wasm/`, import.meta.url);
  return new WebAssembly.Module(readFileSync(new URL(name, folder)));
}

describe("a linked C library", () => {
  test.each([
    ["mozjpeg-decoder.wasm", "MozJPEG (libjpeg-turbo)", { "5.0.0": 5_000_000 }],
    ["mozjpeg-encoder.wasm", "MozJPEG (libjpeg-turbo)", { "5.0.0": 5_000_000 }],
    ["webp-decoder.wasm", "libwebp", { "1.6.0": 0x10600 }],
    ["webp-encoder.wasm", "libwebp", { "1.6.0": 0x10600 }],
    ["little-cms.wasm", "Little CMS", { "2.19.1": 2190 }],
  ] as const)("has in %s the version of %s that the table of libraries names", (file, name, numbers) => {
    const version = NATIVE_LIBRARIES[file]?.find((library) => library.name === name)?.version;
    const codec = new LinkedModule<{ version(): number }>(compiled(file));
    expect(numbers).toEqual({ [version ?? ""]: codec.exports.version() });
  });

  test("runs out of memory at its limit, and not before", () => {
    const codec = new LinkedModule(compiled("webp-decoder.wasm"), 16 * 2 ** 20);
    expect(() => codec.allocate(16 * 2 ** 20)).toThrow(expect.objectContaining({ code: "out_of_memory" }));
    const at = codec.put(new Uint8Array(12 * 2 ** 20).fill(7));
    expect(codec.view(at, 12 * 2 ** 20).every((value) => value === 7)).toBe(true);
  });
});
