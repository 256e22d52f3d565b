import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../../../../../../../scripts/dependencies.mjs";
import { decodeJxl } from "../../../../../../../workers/image/formats/jxl/wasm/jxl-oxide.ts";
import { withMemoryLimit } from "../../../../../../../workers/wasm/memory-limit.ts";

// jxl-oxide.ts uses the engine without the bindings of the package. When an update changes what the engine imports or
// exports, these tests fail, and jxl-oxide.ts has to follow.

const file = new Uint8Array(readFileSync(join(ROOT, "node_modules/jxl-oxide-wasm/jxl_oxide_wasm_bg.wasm")));
const module = new WebAssembly.Module(withMemoryLimit(file, 1000));

/** A gray pixel, by cjxl. */
const PIXEL = new Uint8Array(Buffer.from("/woAEBBQXAgIAgEALABLGIsVwklBHoAAAA==", "base64"));

test("decodes to a PNG in the colors of the image", () => {
  const { png, icc } = decodeJxl(module, PIXEL) ?? {};
  const text = Buffer.from(png ?? []).toString("latin1");
  expect(text.slice(1, 4)).toBe("PNG");
  // sRGB by code points, and not by a profile.
  expect(text).toContain("cICP\x01\x0d\x00\x01");
  expect(icc).toEqual(new Uint8Array());
});

test("returns nothing for damaged data", () => {
  for (let cut = 0; cut < PIXEL.length - 4; cut++) {
    expect(decodeJxl(module, PIXEL.subarray(0, cut))).toBeUndefined();
    expect(
      decodeJxl(
        module,
        PIXEL.map((byte, at) => (at > cut ? byte ^ 0xff : byte)),
      ),
    ).toBeUndefined();
  }
});
