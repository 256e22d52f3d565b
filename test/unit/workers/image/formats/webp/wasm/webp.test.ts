import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  decodeWebp,
  decodeWebpPlanes,
} from "../../../../../../../workers/image/formats/webp/wasm/webp-decoder.ts";
import { encodeWebp } from "../../../../../../../workers/image/formats/webp/wasm/webp-encoder.ts";
import { pixelsOfPlanes } from "../../../../../../../workers/image/picture/planes.ts";

const compiled = (name: string) =>
  new WebAssembly.Module(
    readFileSync(new URL(`../../../../../../../workers/image/formats/webp/wasm/${name}`, import.meta.url)),
  );
const decoder = compiled("webp-decoder.wasm");
const encoder = compiled("webp-encoder.wasm");

const [width, height] = [256, 64];
/** Every value of alpha, with colors under full transparency as well. */
const pixels = Uint8ClampedArray.from({ length: 4 * width * height }, (_, index) => {
  const [x, y] = [(index >> 2) % width, Math.floor(index / 4 / width)];
  return [x, (x * y) % 251, 4 * y, x][index % 4] ?? 0;
});

/** Encodes the picture above. Throws when libwebp fails. */
function encoded(quality: number | "lossless"): Uint8Array<ArrayBuffer> {
  const bytes = encodeWebp(encoder, { pixels, width, height }, quality);
  if (bytes === null) throw new Error("libwebp fails");
  return bytes;
}

describe("libwebp", () => {
  test("keeps every value of a lossless picture, even under full transparency", () => {
    expect(decodeWebp(decoder, encoded("lossless"))).toEqual({ width, height, pixels });
  });

  test("keeps alpha at every quality, and more of the colors at a higher one", () => {
    const sizes = [0, 50, 100].map((quality) => {
      const bytes = encoded(quality);
      const found = decodeWebp(decoder, bytes)?.pixels ?? [];
      expect(found.length).toBe(pixels.length);
      for (let at = 3; at < found.length; at += 4) expect(found[at]).toBe(pixels[at]);
      return bytes.length;
    });
    expect(sizes).toEqual(sizes.toSorted((one, other) => one - other));
  });

  test.each([
    [256, 64],
    [255, 63],
    [1, 1],
  ])("decodes %d × %d pixels to the planes of a JPEG", (width, height) => {
    const opaque = Uint8ClampedArray.from({ length: 4 * width * height }, (_, index) => {
      const [x, y] = [(index >> 2) % width, Math.floor(index / 4 / width)];
      return [x, 4 * y, 255 - x, 255][index % 4] ?? 0;
    });
    const bytes = encodeWebp(encoder, { pixels: opaque, width, height }, 90) ?? new Uint8Array();
    const found = decodeWebpPlanes(decoder, bytes);
    const expected = decodeWebp(decoder, bytes);
    if (found === null || expected === null) throw new Error("libwebp fails");
    expect(found).toMatchObject({ layout: "yuv420", width, height });
    const far = pixelsOfPlanes(found.planes, found).map((value, at) =>
      Math.abs(value - (expected.pixels[at] ?? 0)),
    );
    expect(Math.max(...far)).toBeLessThanOrEqual(3);
  });

  test("fails for a picture that is larger than a WebP can be", () => {
    const large = { pixels: new Uint8ClampedArray(4 * 16_384), width: 16_384, height: 1 };
    expect(encodeWebp(encoder, large, 80)).toBeNull();
  });

  test("decodes damaged data to a picture or nothing", () => {
    const files = [encoded("lossless"), encoded(80)];
    const change = fc.tuple(fc.nat(), fc.nat(255));
    fc.assert(
      fc.property(
        fc.constantFrom(...files),
        fc.array(change, { maxLength: 20 }),
        fc.nat(),
        (file, changes, length) => {
          const bytes = file.slice(0, 20 + (length % file.length));
          // The size in the header stays.
          for (const [at, value] of changes) bytes[40 + (at % (bytes.length - 40))] = value;
          const picture = decodeWebp(decoder, bytes);
          if (picture !== null) expect(picture.pixels.length).toBe(4 * picture.width * picture.height);
          const planes = decodeWebpPlanes(decoder, bytes);
          if (planes !== null) expect(planes.planes.luma.length).toBe(planes.width * planes.height);
        },
      ),
      { numRuns: 200 },
    );
  });

  test("does not take damaged alpha for a lack of memory", () => {
    const file = encoded(80);
    const alpha = Buffer.from(file).indexOf("ALPH") + 8;
    for (let at = alpha; at < alpha + 60; at++) {
      for (const value of [0, 0xff]) {
        const bytes = file.slice();
        bytes.fill(value, at, at + 2);
        expect(() => decodeWebp(decoder, bytes)).not.toThrow();
      }
    }
  });

  test.each([
    ["nothing", new Uint8Array()],
    ["a header alone", encoded(80).subarray(0, 30)],
    ["half a file", encoded("lossless").subarray(0, 200)],
  ])("decodes %s to nothing", (_, bytes) => {
    expect(decodeWebp(decoder, bytes)).toBeNull();
    expect(decodeWebpPlanes(decoder, bytes)).toBeNull();
  });
});
