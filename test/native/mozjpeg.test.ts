import { readFileSync, writeFileSync } from "node:fs";
import { afterAll, describe, expect, test } from "vitest";
import { MARKER } from "../../workers/image/formats/jpg/segments.ts";
import { decodeJpeg, type JpegDecoding } from "../../workers/image/formats/jpg/wasm/mozjpeg-decoder.ts";
import type { Size } from "../../workers/image/picture/size.ts";
import { concatBytes } from "../support/fixtures/image/bytes.ts";
import { makePng } from "../support/fixtures/image/png.ts";
import { largestDifference, type NativePicture, vips, vipsDecodes } from "../support/native-pictures.ts";
import { announceMissing, Scratch } from "../support/native-tools.ts";

const SUITE = "the linked JPEG decoder beside libvips";
const missing = announceMissing(SUITE, ["vips"]);

const decoder = new WebAssembly.Module(
  readFileSync(new URL("../../workers/image/formats/jpg/wasm/mozjpeg-decoder.wasm", import.meta.url)),
);

/** Options of `vips jpegsave`. */
const KINDS: Readonly<Record<string, readonly string[]>> = {
  "with halved chroma": ["--subsample-mode", "on"],
  "with whole chroma": ["--subsample-mode", "off"],
  progressive: ["--interlace"],
  "with restart markers": ["--restart-interval", "3"],
};
const EIGHTHS = [8, 4] as const;
/** libvips drops a last pixel that is not whole, and libjpeg keeps it. */
const SIZES: readonly (Size & { readonly sizes: readonly JpegDecoding["eighths"][] })[] = [
  { width: 216, height: 160, sizes: EIGHTHS },
  { width: 16, height: 16, sizes: EIGHTHS },
  { width: 211, height: 157, sizes: [8] },
  { width: 9, height: 1, sizes: [8] },
];

describe.skipIf(missing.length > 0)(SUITE, () => {
  const scratch = new Scratch();
  afterAll(() => scratch.remove());

  /** Returns the path of a JPEG with smooth and noisy parts. */
  async function made({ width, height }: Size, colorType: 0 | 2, options: readonly string[]) {
    const sample = (x: number, y: number) => {
      const color = [x + y, (x * y * 7) % 256, (x * x + y) % 256].map((value) => value % 256);
      return colorType === 0 ? color.slice(1, 2) : color;
    };
    const source = scratch.path("source.png");
    writeFileSync(source, makePng({ width, height, colorType, bitDepth: 8, sample }));
    const path = scratch.path("made.jpg");
    await vips("jpegsave", source, path, "--Q", "88", ...options);
    return path;
  }

  function decoded(path: string, { colors, eighths }: JpegDecoding): NativePicture {
    const picture = decodeJpeg(decoder, readFileSync(path), { colors, eighths });
    if (picture === undefined) throw new Error("libjpeg fails");
    const { width, height, samples } = picture;
    const channels = colors === "gray" ? 1 : 4;
    expect(samples.length).toBe(channels * width * height);
    const rgb = Uint8Array.from({ length: 3 * width * height }, (_, at) => {
      const pixel = Math.floor(at / 3);
      return samples[channels === 1 ? pixel : 4 * pixel + (at % 3)] ?? 0;
    });
    return { width, height, rgb };
  }

  const shrunk = (path: string, eighths: number) =>
    vipsDecodes(`${path}[shrink=${8 / eighths}]`, scratch.path("theirs"));

  describe.each(SIZES)("$width × $height", ({ width, height, sizes }) => {
    test.each(Object.entries(KINDS))("%s: the same pixels at each size", async (_, options) => {
      const path = await made({ width, height }, 2, options);
      for (const eighths of sizes) {
        const difference = largestDifference(
          decoded(path, { colors: "rgba", eighths }),
          await shrunk(path, eighths),
        );
        expect(difference, `${eighths} eighths`).toBeLessThanOrEqual(1);
      }
    });

    test.each([[[]], [["--interlace"]]])(
      "gray %j: the same samples at each size, as gray and as pixels",
      async (options) => {
        const path = await made({ width, height }, 0, options);
        for (const eighths of sizes) {
          const theirs = await shrunk(path, eighths);
          for (const colors of ["gray", "rgba"] as const) {
            expect(largestDifference(decoded(path, { colors, eighths }), theirs)).toBeLessThanOrEqual(1);
          }
        }
      },
    );
  });

  test("data that is missing is found after another warning", async () => {
    const whole = readFileSync(await made({ width: 96, height: 80 }, 2, []));
    const cut = concatBytes([whole.subarray(0, whole.length / 2), Uint8Array.of(0xff, MARKER.EOI)]);
    // After the segment of JFIF. libjpeg warns of bytes between segments.
    const spaced = (file: Uint8Array) =>
      concatBytes([file.subarray(0, 20), new Uint8Array(2), file.subarray(20)]);
    const lacksData = (file: Uint8Array) =>
      decodeJpeg(decoder, file, { colors: "rgba", eighths: 8 })?.lacksData;
    expect([whole, spaced(whole), cut, spaced(cut)].map(lacksData)).toEqual([false, false, true, true]);
  });
});
