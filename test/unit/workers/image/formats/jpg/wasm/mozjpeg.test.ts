import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeJpeg } from "../../../../../../../workers/image/formats/jpg/wasm/mozjpeg-decoder.ts";
import { encodeByMozjpeg } from "../../../../../../../workers/image/formats/jpg/wasm/mozjpeg-encoder.ts";

const compiled = (name: string) =>
  new WebAssembly.Module(
    readFileSync(new URL(`../../../../../../../workers/image/formats/jpg/wasm/${name}`, import.meta.url)),
  );
const decoder = compiled("mozjpeg-decoder.wasm");
const encoder = compiled("mozjpeg-encoder.wasm");

const [width, height] = [67, 41];
const pixels = Uint8ClampedArray.from({ length: 4 * width * height }, (_, index) => {
  const [x, y] = [(index >> 2) % width, Math.floor(index / 4 / width)];
  return [3 * x, 6 * y, (x * y) % 251, 255][index % 4] ?? 0;
});
const encoded = (quality: number) => encodeByMozjpeg(encoder, { pixels, width, height }, quality);

/** Where the segment is that has the size. */
const FRAME = Buffer.from(encoded(0.8)).indexOf(Uint8Array.of(0xff, 0xc0));
const WHOLE = { colors: "rgba", eighths: 8 } as const;

describe("libjpeg", () => {
  test("keeps all chroma at quality 1", () => {
    const picture = decodeJpeg(decoder, encoded(1), WHOLE);
    expect(picture).toMatchObject({ width, height, lacksData: false });
    const differences = picture?.samples.map((value, at) => Math.abs(value - (pixels[at] ?? 0))) ?? [];
    expect(differences.length).toBe(pixels.length);
    expect(Math.max(...differences)).toBeLessThanOrEqual(4);
  });

  test("makes smaller files of a lower quality", () => {
    const sizes = [0, 0.5, 1].map((quality) => encoded(quality).length);
    expect(sizes).toEqual(sizes.toSorted((one, other) => one - other));
  });

  test("says that data is missing", () => {
    const file = encoded(0.9);
    const cut = Uint8Array.of(...file.subarray(0, file.length - 300), 0xff, 0xd9);
    expect(decodeJpeg(decoder, cut, WHOLE)).toMatchObject({ width, height, lacksData: true });
  });

  test("decodes damaged data to a picture or nothing", () => {
    const file = encoded(0.8);
    const change = fc.tuple(fc.nat(), fc.nat(255));
    fc.assert(
      fc.property(fc.array(change, { maxLength: 20 }), fc.nat(), (changes, length) => {
        const bytes = file.slice(0, 20 + (length % file.length));
        for (const [at, value] of changes) bytes[at % bytes.length] = value;
        // The size stays.
        if (bytes.length > FRAME) bytes.set(file.subarray(FRAME, Math.min(FRAME + 10, bytes.length)), FRAME);
        const picture = decodeJpeg(decoder, bytes, WHOLE);
        if (picture) expect(picture.samples.length).toBe(4 * picture.width * picture.height);
      }),
      { numRuns: 200 },
    );
  });

  test.each([
    ["nothing", new Uint8Array()],
    ["a header alone", encoded(0.8).subarray(0, 30)],
    ["text", new TextEncoder().encode("no JPEG at all")],
  ])("decodes %s to nothing", (_, bytes) => {
    expect(decodeJpeg(decoder, bytes, WHOLE)).toBeUndefined();
  });

  test("does not decode a picture that takes more memory than it may have", () => {
    const file = encoded(0.8);
    file.set([0xff, 0xdc, 0xff, 0xdc], FRAME + 5);
    expect(() => decodeJpeg(decoder, file, WHOLE)).toThrow(
      expect.objectContaining({ code: "out_of_memory" }),
    );
  });
});
