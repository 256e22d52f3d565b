import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { storedInks } from "../../../../../../../workers/image/formats/jpg/wasm/jpeg-cmyk.ts";

describe("a CMYK JPEG", () => {
  test("gives nothing if it is truncated or not CMYK", () => {
    expect(storedInks(new Uint8Array())).toBeUndefined();
    expect(storedInks(Uint8Array.of(0xff, 0xd8, 0xff, 0xd9))).toBeUndefined();
  });

  test("gives values or nothing for any bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        const beginning = Uint8Array.of(0xff, 0xd8, 0xff, 0xc0, 0, 20, 8, 0, 16, 0, 16, 4);
        const inks = storedInks(Uint8Array.of(...beginning, ...bytes));
        if (inks !== undefined) expect(inks.samples.length).toBe(4 * inks.width * inks.height);
      }),
    );
  });
});
