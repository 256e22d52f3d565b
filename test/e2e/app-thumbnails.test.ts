import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type OpenedApp, openAppForEach } from "../support/browsers/app-page.ts";
import { makePng } from "../support/fixtures/image/png.ts";
import { announceMissing } from "../support/native-tools.ts";
import { mustRun } from "../support/oracles.ts";

const NO_HEIC = announceMissing("the thumbnail of a HEIC", ["heif-enc"]).length > 0;

/** The longest side of a thumbnail with one pixel of the screen for each of the page. */
const SIDE = 200;

let opened: OpenedApp;

openAppForEach((one) => {
  opened = one;
});

function writePhoto(name: string): string {
  const sample = (x: number, y: number) => [x % 256, y % 256, (x * y) % 256];
  return opened.app.write(name, makePng({ width: 600, height: 400, colorType: 2, bitDepth: 8, sample }));
}

describe.skipIf(NO_HEIC)("with heif-enc", () => {
  test("makes a small thumbnail of a HEIC, which the browser alone cannot", async () => {
    const { app, host } = opened;
    await mustRun("heif-enc", [writePhoto("photo.png"), "-o", join(host.folder, "photo.heic")]);
    await app.choose("photo.heic");
    const picture = app.row("photo.heic").locator("img");
    await picture.waitFor();
    const size = () =>
      picture.evaluate(
        (image) => image instanceof HTMLImageElement && [image.naturalWidth, image.naturalHeight],
      );
    await expect.poll(size).toEqual([SIDE, Math.round((SIDE * 400) / 600)]);
  });
});

test("makes thumbnails of the files in view only", async () => {
  const { app } = opened;
  const names = Array.from({ length: 40 }, (_, index) => `photo-${index + 1}.png`);
  for (const name of names) writePhoto(name);
  await app.choose(...names);
  await app.row("photo-1.png").locator("img").waitFor();
  const last = app.row("photo-40.png");
  expect(await last.locator("img").count()).toBe(0);
  await last.scrollIntoViewIfNeeded();
  await last.locator("img").waitFor();
  expect(await app.row("photo-20.png").locator("img").count()).toBe(0);
});
