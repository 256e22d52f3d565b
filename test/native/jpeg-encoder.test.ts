import { readFileSync, statSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { JpegEncoder, pixelSource } from "../../workers/codecs/jpeg/index.ts";
import { type NativePicture, vips, vipsDecodes } from "../support/native-pictures.ts";
import { announceMissing, Scratch } from "../support/native-tools.ts";

const SUITE = "the JPEG encoder beside libjpeg";
const missing = announceMissing(SUITE, ["vips"]);

type Sample = (x: number, y: number) => readonly [red: number, green: number, blue: number];

/** A pseudorandom number from 0 to 255. */
const random = (x: number, y: number, seed: number) =>
  (Math.imul(x * 374_761 + y * 668_265 + seed * 9_176 + 1, 2_246_822_519) >>> 16) & 0xff;

const PICTURES: Readonly<Record<string, Sample>> = {
  "a page of text": (x, y) => {
    const isInk = y % 24 < 16 && x > 30 && random(Math.floor(x / 3), Math.floor(y / 5), 1) < 90;
    return isInk ? [20, 20, 20] : [255, 255, 255];
  },
  "a photo": (x, y) => [
    Math.round(128 + 100 * Math.sin(x / 37) + random(x, y, 1) / 16),
    Math.round(128 + 100 * Math.cos((x + y) / 53) + random(x, y, 2) / 16),
    Math.round(128 + 100 * Math.sin(y / 41) + random(x, y, 3) / 16),
  ],
  noise: (x, y) => [random(x, y, 1), random(x, y, 2), random(x, y, 3)],
  "black and white noise": (x, y) => {
    const value = random(x, y, 4) < 128 ? 0 : 255;
    return [value, value, value];
  },
  "stripes of the highest frequencies": (x, y) => {
    const value = (x % 8 < 4 !== y % 2 < 1 ? 1 : 0) * 255;
    return [value, value, value];
  },
  "one color": () => [200, 30, 90],
  "flat quarters": (x, y) => [x < 100 ? 255 : 0, y < 90 ? 255 : 0, 60],
};

describe.skipIf(missing.length > 0)(SUITE, () => {
  const scratch = new Scratch();
  let encoder: JpegEncoder;
  beforeAll(async () => {
    const file = new URL("../../workers/codecs/jpeg/jpeg-encoder.wasm", import.meta.url);
    encoder = new JpegEncoder(await WebAssembly.compile(readFileSync(file)));
  });
  afterAll(() => scratch.remove());

  test.each(Object.entries(PICTURES))(
    "%s: the file is as close to the source as that of libjpeg, and not larger",
    async (_, sample) => {
      const [width, height] = [333, 250];
      const { native, pixels } = drawn(width, height, sample);
      const source = scratch.path("source.ppm");
      writeFileSync(source, Buffer.concat([Buffer.from(`P6\n${width} ${height}\n255\n`), native.rgb]));
      for (const percent of [40, 75, 95]) {
        const theirs = scratch.path("theirs.jpg");
        await vips(
          "jpegsave",
          source,
          theirs,
          "--Q",
          `${percent}`,
          "--optimize-coding",
          "--subsample-mode",
          "on",
          "--strip",
        );
        const ours = scratch.path("ours.jpg");
        writeFileSync(ours, await encoder.encode(pixelSource({ width, height, pixels }), percent / 100));
        // A warning of libjpeg fails the test.
        await vips("copy", `${ours}[fail_on=warning]`, scratch.path("decoded.v"));
        const our = meanSquaredError(await vipsDecodes(ours, scratch.path("ours")), native);
        const their = meanSquaredError(await vipsDecodes(theirs, scratch.path("theirs")), native);
        expect(our, `quality ${percent}`).toBeLessThan(1.04 * their + 1.1);
        expect(statSync(ours).size, `quality ${percent}`).toBeLessThan(1.03 * statSync(theirs).size);
      }
    },
  );

  test("a gray file is as close to the source as that of libjpeg, and not larger", async () => {
    for (const [name, sample] of Object.entries(PICTURES).slice(0, 2)) {
      for (const [width, height] of [
        [333, 250],
        [16, 9],
        [1, 1],
      ] as const) {
        const { native } = drawn(width, height, (x, y) => {
          const [red] = sample(x, y);
          return [red, red, red];
        });
        const samples = native.rgb.filter((_, index) => index % 3 === 0);
        const source = scratch.path("source.pgm");
        writeFileSync(source, Buffer.concat([Buffer.from(`P5\n${width} ${height}\n255\n`), samples]));
        const theirs = scratch.path("theirs.jpg");
        await vips("jpegsave", source, theirs, "--Q", "75", "--optimize-coding", "--strip");
        const ours = scratch.path("ours.jpg");
        const readRows = async (first: number, count: number) =>
          samples.subarray(first * width, (first + count) * width);
        writeFileSync(ours, await encoder.encode({ kind: "gray", width, height, readRows }, 0.75));
        const decoded = await vipsDecodes(`${ours}[fail_on=warning]`, scratch.path("ours"));
        const our = meanSquaredError(decoded, native);
        const their = meanSquaredError(await vipsDecodes(theirs, scratch.path("theirs")), native);
        expect(our, name).toBeLessThan(1.04 * their + 1.1);
        expect(statSync(ours).size, name).toBeLessThan(1.03 * statSync(theirs).size + 20);
      }
    }
  });
});

function drawn(width: number, height: number, sample: Sample) {
  const rgb = new Uint8Array(3 * width * height);
  const pixels = new Uint8ClampedArray(4 * width * height);
  for (let at = 0; at < width * height; at++) {
    const color = sample(at % width, Math.floor(at / width));
    rgb.set(color, 3 * at);
    // The fourth byte has no meaning.
    pixels.set([...color, at], 4 * at);
  }
  return { native: { width, height, rgb } satisfies NativePicture, pixels };
}

/** Returns the mean squared error of a sample. */
function meanSquaredError(one: NativePicture, other: NativePicture): number {
  if (one.width !== other.width || one.height !== other.height) return Number.POSITIVE_INFINITY;
  return one.rgb.reduce((sum, value, at) => sum + (value - (other.rgb[at] ?? 0)) ** 2, 0) / one.rgb.length;
}
