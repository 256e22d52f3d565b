import { writeFileSync } from "node:fs";
import { afterAll, expect, test } from "vitest";
import { writeTiledHeic } from "../support/fixtures/tiled-heic.ts";
import { largestDifference, vipsDecodes } from "../support/native-pictures.ts";
import { announceMissing, runTool, Scratch } from "../support/native-tools.ts";

const missing = announceMissing("HEICs of tiles", ["vips", "heif-enc", "heif-convert"]);
const scratch = new Scratch();
afterAll(() => scratch.remove());

/** Each tile has other colors: red grows to the right, green to the bottom. */
function ramps(width: number, height: number): Buffer {
  const pixels = Array.from({ length: width * height }, (_, at) => {
    const [x, y] = [at % width, Math.floor(at / width)];
    return [(255 * x) / width, (255 * y) / height, 128];
  });
  return Buffer.concat([Buffer.from(`P6\n${width} ${height}\n255\n`), Uint8Array.from(pixels.flat())]);
}

test.skipIf(missing.length > 0)("libheif decodes a tiled HEIC to the original picture", async () => {
  const size = { width: 1300, height: 700 };
  const photo = scratch.path("photo.ppm");
  const tiled = scratch.path("tiled.heic");
  const shown = scratch.path("shown.png");
  writeFileSync(photo, ramps(size.width, size.height));
  await writeTiledHeic(photo, size, tiled, scratch);
  expect((await runTool("heif-convert", [tiled, shown])).code).toBe(0);
  const was = await vipsDecodes(photo, scratch.path("was"));
  const is = await vipsDecodes(shown, scratch.path("is"));
  expect(largestDifference(was, is)).toBeLessThan(12);
});
