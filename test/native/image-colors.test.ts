import { writeFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ServedClient } from "../support/browsers/served-client.ts";
import { makePng } from "../support/fixtures/image/png.ts";
import { announceMissing, Scratch } from "../support/native-tools.ts";
import { type InkPlan, makeInkJpeg } from "./inks.ts";
import { largestDifference, type NativePicture, vips, vipsDecodes } from "./pictures.ts";

const missing = announceMissing("colors of images beside libvips", ["vips"]);

describe.skipIf(missing.length > 0)("colors, as libvips converts them", () => {
  const scratch = new Scratch();
  const plain = scratch.path("plain.png");
  let served: ServedClient;
  let page: Page;

  beforeAll(async () => {
    served = await ServedClient.start();
    page = await served.open("/test/native/image-page.html");
    // Muted enough for all color spaces to hold it, and smooth.
    const png = makePng({
      ...{ width: 96, height: 64, colorType: 2, bitDepth: 8 },
      sample: (x, y) => [70 + x, 90 + y, 160 - x],
    });
    writeFileSync(plain, png);
  });
  afterAll(async () => {
    await served.close();
    scratch.remove();
  });

  async function converted(path: string, output_format: string, quality = "1"): Promise<NativePicture> {
    const made = scratch.path(`made.${output_format}`);
    writeFileSync(made, "");
    const addresses = [served.share(path), served.share(made)] as const;
    const name = await page.evaluate(
      ([from, to, fields]) => window.convertImage(from, to, "picture.any", fields),
      [...addresses, { output_format, quality }] as const,
    );
    expect(name).toBe(`picture.${output_format}`);
    const shown = scratch.path("shown.png");
    // By the profile that it names, else as the sRGB that it is.
    await vips("icc_transform", made, shown, "srgb", "--embedded", "--input-profile", "srgb");
    return vipsDecodes(shown, scratch.path("decoded"));
  }

  const original = () => vipsDecodes(plain, scratch.path("original"));

  test.each([
    ["p3.png", ["p3"], 2],
    ["p3.jpg[Q=100,subsample_mode=off]", ["p3"], 6],
    ["p3-16.png", ["p3", "--depth", "16"], 2],
  ] as const)("%s comes back to the sRGB that it was made of", async (name, target, tolerance) => {
    const path = scratch.path(name);
    await vips("icc_transform", plain, path, ...target, "--input-profile", "srgb");
    const file = path.replace(/\[.*$/, "");
    const made = await converted(file, "png");
    expect(largestDifference(made, await original())).toBeLessThanOrEqual(tolerance);
  });

  test.each<[string, InkPlan]>([
    ["CMYK", { transform: 0 }],
    ["CMYK, on its side", { transform: 0, orientation: 6 }],
    ["YCCK", { transform: 2 }],
  ])("a JPEG in %s is converted by its profile", async (_, plan) => {
    const { path, expected } = await makeInkJpeg(scratch, plain, plan);
    const made = await converted(path, "png");
    expect(largestDifference(made, await vipsDecodes(expected, scratch.path("decoded")))).toBeLessThanOrEqual(
      6,
    );
  });

  test.each(["png", "webp"])("%s without loss is the original", async (to) => {
    expect(largestDifference(await converted(plain, to), await original())).toBe(0);
  });

  test.each(["jpg", "avif"])("%s at its best is nearly the original", async (to) => {
    expect(largestDifference(await converted(plain, to), await original())).toBeLessThanOrEqual(6);
  });
});
