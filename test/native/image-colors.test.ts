import { readFileSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readJpeg } from "../../workers/image/formats/jpg/read-jpeg.ts";
import { bufferSource } from "../../workers/io/source.ts";
import { Converter } from "../support/browsers/converter.ts";
import { concatBytes } from "../support/fixtures/image/bytes.ts";
import { makePng } from "../support/fixtures/image/png.ts";
import { type InkPlan, makeInkJpeg } from "../support/fixtures/ink-jpeg.ts";
import {
  largestDifference,
  mutoolDraws,
  type NativePicture,
  vips,
  vipsDecodes,
  vipsShows,
} from "../support/native-pictures.ts";
import { announceMissing, Scratch } from "../support/native-tools.ts";
import { onDisk } from "../support/pdf-files.ts";

const missing = announceMissing("colors of images beside libvips", ["vips", "mutool"]);
const ADOBE = 0xee;

describe.skipIf(missing.length > 0)("a converted image has the colors that libvips gives it", () => {
  const scratch = new Scratch();
  const plain = scratch.path("plain.png");
  let converter: Converter;

  beforeAll(async () => {
    converter = await Converter.start("chromium");
    // A smooth gradient of muted colors, which all color spaces can represent.
    const png = makePng({
      ...{ width: 96, height: 64, colorType: 2, bitDepth: 8 },
      sample: (x, y) => [70 + x, 90 + y, 160 - x],
    });
    writeFileSync(plain, png);
  });
  afterAll(async () => {
    await converter.close();
    scratch.remove();
  });

  async function converted(path: string, output_format: string, quality = "1"): Promise<NativePicture> {
    const made = await converter.convert(path, { output_format, quality });
    return vipsShows(made, scratch.path("shown"));
  }

  const original = () => vipsDecodes(plain, scratch.path("original"));

  test.each([
    ["p3.png", ["p3"], 2],
    ["p3.jpg[Q=100,subsample_mode=off]", ["p3"], 6],
    ["p3-16.png", ["p3", "--depth", "16"], 2],
  ] as const)(
    "%s is converted back to the sRGB picture that it was made from",
    async (name, target, tolerance) => {
      const path = scratch.path(name);
      await vips("icc_transform", plain, path, ...target, "--input-profile", "srgb");
      const file = path.replace(/\[.*$/, "");
      const made = await converted(file, "png");
      expect(largestDifference(made, await original())).toBeLessThanOrEqual(tolerance);
    },
  );

  test.each<[string, InkPlan]>([
    ["CMYK", { transform: 0 }],
    ["CMYK with an orientation", { transform: 0, orientation: 6 }],
    ["YCCK", { transform: 2 }],
  ])("a JPEG in %s is converted by its profile", async (_, plan) => {
    const { path, expected } = await makeInkJpeg(scratch, plain, plan);
    const made = await converted(path, "png");
    expect(largestDifference(made, await vipsDecodes(expected, scratch.path("decoded")))).toBeLessThanOrEqual(
      6,
    );
  });

  // All programs take CMYK in a JPEG for inverted.
  test.each([undefined, 0, 1, 2])(
    "a JPEG in CMYK without a profile is the same picture as PNG and as PDF, with the transform %s of Adobe",
    async (transform) => {
      const made = scratch.path("inks.jpg");
      await vips("icc_transform", plain, `${made}[Q=100,strip]`, "cmyk", "--input-profile", "srgb");
      const bytes = new Uint8Array(readFileSync(made));
      const adobe = readJpeg(bufferSource(bytes)).segments.find(({ marker }) => marker === ADOBE);
      if (adobe === undefined) throw new Error("libjpeg writes the segment of Adobe");
      if (transform !== undefined) bytes[adobe.end - 1] = transform;
      const jpeg =
        transform === undefined ? [bytes.subarray(0, adobe.start), bytes.subarray(adobe.end)] : [bytes];
      const path = onDisk(scratch, concatBytes(jpeg), "declared.jpg");
      const png = await converted(path, "png");
      const drawn = await mutoolDraws(await converter.convert(path, { output_format: "pdf" }), 96, 64);
      // Chromium multiplies the light that inks leave, MuPDF adds the inks. Of an inverted picture, black would be left.
      expect(largestDifference(png, drawn)).toBeLessThanOrEqual(80);
    },
  );

  test.each(["png", "webp"])("a lossless %s equals the original", async (to) => {
    expect(largestDifference(await converted(plain, to), await original())).toBe(0);
  });

  test.each(["jpg", "avif"])("a %s of the best quality is nearly the original", async (to) => {
    expect(largestDifference(await converted(plain, to), await original())).toBeLessThanOrEqual(6);
  });
});
