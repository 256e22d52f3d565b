import { writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Converter } from "../support/browsers/converter.ts";
import { makePng } from "../support/fixtures/image/png.ts";
import { type InkPlan, makeInkJpeg } from "../support/fixtures/ink-jpeg.ts";
import {
  largestDifference,
  type NativePicture,
  vips,
  vipsDecodes,
  vipsShows,
} from "../support/native-pictures.ts";
import { announceMissing, Scratch } from "../support/native-tools.ts";

const missing = announceMissing("colors of images beside libvips", ["vips"]);

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

  test.each(["png", "webp"])("a lossless %s equals the original", async (to) => {
    expect(largestDifference(await converted(plain, to), await original())).toBe(0);
  });

  test.each(["jpg", "avif"])("a %s of the best quality is nearly the original", async (to) => {
    expect(largestDifference(await converted(plain, to), await original())).toBeLessThanOrEqual(6);
  });
});
