import { afterAll, describe, expect, test } from "vitest";
import { startImages } from "../corpus/image/subject.ts";
import { announceBrowser, madeFile } from "../support/browsers/browser-session.ts";
import { displayP3 } from "../support/fixtures/image/icc.ts";
import { makePng, pngProfile } from "../support/fixtures/image/png.ts";
import { HANG_LIMIT_MS } from "../support/hang-limit.ts";
import { largestDifference, vips, vipsShows } from "../support/native-pictures.ts";
import { announceMissing, Scratch } from "../support/native-tools.ts";
import { onDisk } from "../support/pdf-files.ts";

const SUITE = "Firefox with the color management of a screen";
const missing = announceMissing(SUITE, ["vips"]);
const isAbsent = missing.length > 0 || !announceBrowser("firefox", SUITE);

describe.skipIf(isAbsent)(SUITE, () => {
  const scratch = new Scratch();
  afterAll(() => scratch.remove());

  /** Inputs, target formats and tolerances. */
  async function files() {
    const plan = {
      ...({ width: 96, height: 64, colorType: 2, bitDepth: 8 } as const),
      sample: (x: number, y: number) => [100 + x, 180 - y, 70],
    };
    const plain = onDisk(scratch, makePng(plan), "plain.png");
    const profile = ["iCCP", pngProfile(displayP3())] as const;
    // Primaries of Display P3 in units of 1/100000. Without gAMA, browsers and native programs ignore them.
    const primaries = new DataView(new ArrayBuffer(32));
    for (const [index, place] of [31270, 32900, 68000, 32000, 26500, 69000, 15000, 6000].entries())
      primaries.setUint32(4 * index, place);
    const places = ["cHRM", new Uint8Array(primaries.buffer)] as const;
    const p3 = onDisk(scratch, makePng({ ...plan, chunks: [profile] }), "p3.png");
    const made = async (name: string, make: (path: string) => Promise<void>) => {
      const path = scratch.path(name);
      await make(path);
      return path;
    };
    const ofSrgb = ["srgb", "--input-profile", "srgb"];
    return [
      [p3, "jpg", 6],
      [onDisk(scratch, makePng({ ...plan, chunks: [places] }), "primaries.png"), "jpg", 6],
      [await made("p3.jpg", (path) => vips("copy", p3, `${path}[Q=98]`)), "png", 3],
      [await made("p3.webp", (path) => vips("copy", p3, `${path}[lossless]`)), "png", 3],
      [await made("srgb.jpg", (path) => vips("icc_transform", plain, `${path}[Q=98]`, ...ofSrgb)), "png", 2],
      [await made("plain.avif", (path) => vips("copy", plain, `${path}[lossless]`)), "png", 3],
      [await made("plain.bmp", (path) => vips("magicksave", plain, path, "--format", "bmp")), "png", 0],
    ] as const;
  }

  const shown = (path: string) => vipsShows(path, scratch.path("shown"));

  test.each([
    ["with a display profile", "display_profile", () => onDisk(scratch, displayP3(), "screen.icc")],
    ["with color management off", "mode", () => 0],
  ])("converts to sRGB %s", async (_, name, value) => {
    const preferences = { [`gfx.color_management.${name}`]: value() };
    const subject = await startImages("firefox", HANG_LIMIT_MS, preferences);
    try {
      for (const [input, to, tolerance] of await files()) {
        const output = scratch.path(`made.${to}`);
        madeFile(await subject.run({ to }, input, output));
        const difference = largestDifference(await shown(output), await shown(input));
        expect(difference, `${input} to ${to}`).toBeLessThanOrEqual(tolerance);
      }
    } finally {
      await subject.close();
    }
  });
});
