import { writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { announceBrowser } from "../support/browsers/browser-session.ts";
import { Converter } from "../support/browsers/converter.ts";
import { makePng } from "../support/fixtures/image/png.ts";
import { vips, vipsDecodes } from "../support/native-pictures.ts";
import { announceMissing, Scratch } from "../support/native-tools.ts";
import { mustRun } from "../support/oracles.ts";

const missing = announceMissing("smaller pictures of the client", ["vips", "heif-enc"]);
const hasBrowser = announceBrowser("chromium", "smaller pictures");

describe.skipIf(missing.length > 0 || !hasBrowser)("a smaller picture of the client", () => {
  const scratch = new Scratch();
  let converter: Converter;
  const inputs = new Map<string, string>();

  beforeAll(async () => {
    converter = await Converter.start("chromium");
    const png = scratch.path("photo.png");
    const wave = (x: number, y: number, channel: number) =>
      128 +
      70 * Math.sin((x + 30 * channel) / 37) +
      50 * Math.cos(y / (11 + channel)) +
      (((x >> 4) ^ (y >> 5)) & 7);
    const sample = (x: number, y: number) => [0, 1, 2].map((channel) => Math.round(wave(x, y, channel)));
    writeFileSync(png, makePng({ width: 1501, height: 1100, colorType: 2, bitDepth: 8, sample }));
    inputs.set("png", png);
    for (const format of ["jpg", "webp", "avif"]) {
      inputs.set(format, scratch.path(`photo.${format}`));
      await vips("copy", png, `${inputs.get(format)}[Q=90]`);
    }
    inputs.set("heic", scratch.path("photo.heic"));
    await mustRun("heif-enc", ["-q", "90", png, "-o", inputs.get("heic") ?? ""]);
  });
  afterAll(async () => {
    await converter.close();
    scratch.remove();
  });

  test.each([
    ["jpg", "jpg", 800],
    ["jpg", "png", 600],
    ["jpg", "jpg", 200],
    ["png", "png", 700],
    ["png", "jpg", 333],
    ["png", "webp", 500],
    ["webp", "jpg", 640],
    ["avif", "jpg", 900],
    ["heic", "jpg", 1200],
    ["heic", "jpg", 300],
    ["heic", "png", 450],
  ])("%s to %s of %i pixels is like that of vips thumbnail", async (from, to, width) => {
    const input = inputs.get(from) ?? "";
    const made = await converter.convert(input, { output_format: to, max_width: String(width) });
    const expected = scratch.path("expected.png");
    await vips("thumbnail", input, expected, String(width), "--height", "100000", "--size", "down");
    const [one, other] = [
      await vipsDecodes(made, scratch.path("made")),
      await vipsDecodes(expected, scratch.path("expected")),
    ];
    expect([one.width, one.height]).toEqual([other.width, other.height]);
    const sum = one.rgb.reduce((total, value, at) => total + Math.abs(value - (other.rgb[at] ?? 0)), 0);
    expect(sum / one.rgb.length).toBeLessThan(3);
  });
});
