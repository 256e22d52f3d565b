import { writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { announceBrowser } from "../support/browsers/browser-session.ts";
import { Converter } from "../support/browsers/converter.ts";
import { drawnPdf, QUARTERS } from "../support/fixtures/drawn-pdf.ts";
import { makeBmp, makeGif } from "../support/fixtures/image/gif-and-bmp.ts";
import { displayP3, grayProfile } from "../support/fixtures/image/icc.ts";
import { jpegWith, makeExif } from "../support/fixtures/image/metadata.ts";
import { makePng, pngProfile } from "../support/fixtures/image/png.ts";
import { makeInkJpeg } from "../support/fixtures/ink-jpeg.ts";
import {
  largestDifference,
  mutoolDraws,
  type NativePicture,
  vips,
  vipsDecodes,
  vipsShows,
} from "../support/native-pictures.ts";
import { announceMissing, Scratch } from "../support/native-tools.ts";
import { fromDisk, onDisk } from "../support/pdf-files.ts";

const BROWSER = "firefox that resists fingerprinting";
const missing = announceMissing(BROWSER, ["vips", "mutool"]);
const absent = missing.length > 0 || !announceBrowser(BROWSER, "the client");

const SIZE = { width: 96, height: 64 } as const;
const WHITE = [255, 255, 255] as const;

/** Such a browser returns noise for the pixels of a canvas. */
describe.skipIf(absent)("conversion in a browser that protects its canvases", () => {
  const scratch = new Scratch();
  let converter: Converter;
  beforeAll(async () => {
    converter = await Converter.start(BROWSER);
  });
  afterAll(async () => {
    await converter.close();
    scratch.remove();
  });

  const converted = (input: string, output_format: string, fields: Record<string, string> = {}) =>
    converter.convert(input, { output_format, ...fields });
  const refusalOf = (input: string, output_format: string) => converter.refusalOf(input, { output_format });
  const shown = (path: string) => vipsShows(path, scratch.path("shown"));
  const decoded = (path: string) => vipsDecodes(path, scratch.path("raw"));

  const gradient = () =>
    onDisk(
      scratch,
      makePng({
        ...{ ...SIZE, colorType: 2, bitDepth: 8 },
        sample: (x, y) => [60 + x, 200 - y, 70 + ((x + y) >> 1)],
      }),
      "gradient.png",
    );

  /** The gradient in the format of the name. */
  async function gradientAs(name: string): Promise<string> {
    const path = scratch.path(name.replace(/\[.*/, ""));
    await vips("copy", gradient(), `${path}${/\[.*/.exec(name)?.[0] ?? ""}`);
    return path;
  }

  async function movingWebp(): Promise<string> {
    const [both, path] = [scratch.path("both.v"), scratch.path("moving.webp")];
    await vips("arrayjoin", `${gradient()} ${await gradientAs("other.jpg")}`, both, "--across", "1");
    await vips("webpsave", both, path, "--page-height", String(SIZE.height));
    return path;
  }

  test.each([
    ["a.png", "png", 0],
    ["a.png", "webp", 12],
    ["a.png", "jpg", 6],
    ["a.png", "avif", 12],
    ["a.webp[lossless]", "png", 0],
    ["a.webp[lossless]", "jpg", 6],
    ["a.jpg[Q=100,subsample_mode=off]", "png", 4],
    ["a.jpg[Q=100,subsample_mode=off]", "webp", 12],
  ] as const)("%s becomes %s with unchanged pixels", async (name, to, tolerance) => {
    const made = await converted(await gradientAs(name), to);
    expect(largestDifference(await decoded(made), await decoded(gradient()))).toBeLessThanOrEqual(tolerance);
  });

  test.each([
    ["jpg", 6],
    ["webp", 0],
  ] as const)("a PNG becomes %s of the highest quality", async (to, tolerance) => {
    const made = await converted(gradient(), to, { quality: "1" });
    expect(largestDifference(await decoded(made), await decoded(gradient()))).toBeLessThanOrEqual(tolerance);
  });

  test.each(["a.png", "a.webp[lossless]"])("%s becomes a PDF as it is", async (name) => {
    const made = await converted(await gradientAs(name), "pdf");
    const drawn = await mutoolDraws(made, SIZE.width, SIZE.height);
    expect(largestDifference(drawn, await decoded(gradient()))).toBeLessThanOrEqual(1);
  });

  test.each(["jpg", "webp", "avif"])("a small drawing becomes a %s that looks as it did", async (to) => {
    const colors = [
      [255, 0, 0],
      [0, 0, 255],
      [0, 255, 0],
      [255, 0, 255],
    ];
    const icon = onDisk(
      scratch,
      makePng({
        ...{ width: 32, height: 32, colorType: 2, bitDepth: 8 },
        sample: (x, y) => colors[((x >> 1) + (y >> 1)) % 4] ?? [],
      }),
      "icon.png",
    );
    const usual = await decoded(await converted(icon, to, { quality: "0.68" }));
    const close = await decoded(await converted(icon, to));
    const wanted = await decoded(icon);
    expect(meanDifference(close, wanted)).toBeLessThanOrEqual(3);
    expect(meanDifference(close, wanted)).toBeLessThan(meanDifference(usual, wanted));
  });

  describe("with transparency", () => {
    const sample = (x: number, y: number) => [2 * x, 3 * y, 128, 2 * x + 20];
    const transparent = () =>
      onDisk(scratch, makePng({ ...{ ...SIZE, colorType: 6, bitDepth: 8 }, sample }), "alpha.png");

    test.each(["png", "webp"])("a PNG becomes %s exactly", async (to) => {
      const made = await converted(transparent(), to);
      const raw = scratch.path("made.raw");
      await vips("rawsave", made, raw);
      const values = [...fromDisk(raw)];
      expect(values).toEqual(
        Array.from({ length: SIZE.width * SIZE.height }, (_, at) =>
          sample(at % SIZE.width, Math.floor(at / SIZE.width)),
        ).flat(),
      );
    });

    test.each([
      ["white", WHITE],
      ["#336699", [0x33, 0x66, 0x99]],
      ["oklch(0.7 0.1 200)", [0x40, 0xb1, 0xb7]],
      // A translucent background is blended on white.
      ["rgb(0 0 0 / 0.2)", [204, 204, 204]],
    ] as const)("a JPG has the background %s", async (background, behind) => {
      const made = await decoded(await converted(transparent(), "jpg", { background, quality: "1" }));
      const wanted = Array.from({ length: SIZE.width * SIZE.height }, (_, at) => {
        const [red = 0, green = 0, blue = 0, alpha = 0] = sample(
          at % SIZE.width,
          Math.floor(at / SIZE.width),
        );
        return [red, green, blue].map(
          (value, index) => (value * alpha + (behind[index] ?? 0) * (255 - alpha)) / 255,
        );
      }).flat();
      const expected = { ...SIZE, rgb: Uint8Array.from(wanted, Math.round) };
      expect(largestDifference(made, expected)).toBeLessThanOrEqual(6);
    });
  });

  describe("in other colors", () => {
    const tagged = (name: string, profile: Uint8Array, colorType: 0 | 2) =>
      onDisk(
        scratch,
        makePng({
          ...{ ...SIZE, colorType, bitDepth: 8, chunks: [["iCCP", pngProfile(profile)]] },
          sample: (x, y) => (colorType === 0 ? [2 * x + y] : [70 + x, 90 + y, 160 - x]),
        }),
        name,
      );

    test.each([
      ["p3.png", "png", 0],
      ["p3.png", "jpg", 1.5],
      ["p3.png", "avif", 2],
      ["p3.webp[lossless]", "png", 0.5],
      ["p3.jpg[Q=100,subsample_mode=off]", "png", 1.5],
      ["gray.png", "png", 0.5],
      ["gray.jpg[Q=100]", "png", 0.5],
    ] as const)("%s becomes %s by its profile", async (name, to, tolerance) => {
      const isGray = name.startsWith("gray");
      const png = tagged("tagged.png", isGray ? grayProfile(1.4) : displayP3(), isGray ? 0 : 2);
      const input = scratch.path(name.replace(/\[.*/, ""));
      await vips("copy", png, `${input}${/\[.*/.exec(name)?.[0] ?? ""}`);
      const made = await converted(input, to);
      expect(meanDifference(await shown(made), await shown(png))).toBeLessThanOrEqual(tolerance);
    });

    test("a PNG is converted by its code points", async () => {
      const sample = (x: number, y: number) => [70 + x, 90 + y, 160 - x];
      const plan = { ...SIZE, colorType: 2, bitDepth: 8, sample } as const;
      const p3 = makePng({ ...plan, chunks: [["cICP", Uint8Array.of(12, 13, 0, 1)]] });
      const made = await converted(onDisk(scratch, p3, "points.png"), "jpg", { quality: "0.95" });
      const wanted = await shown(tagged("tagged.png", displayP3(), 2));
      expect(meanDifference(await shown(made), wanted)).toBeLessThanOrEqual(1.5);
    });

    test("a JPEG in CMYK is converted by its profile", async () => {
      const { path, expected } = await makeInkJpeg(scratch, gradient(), { transform: 0 });
      const made = await converted(path, "png");
      expect(largestDifference(await decoded(made), await decoded(expected))).toBeLessThanOrEqual(6);
    });
  });

  test("a JPEG is rotated by its orientation", async () => {
    const upright = await gradientAs("upright.jpg[Q=100,subsample_mode=off]");
    const path = scratch.path("turned.jpg");
    writeFileSync(path, jpegWith(fromDisk(upright), { exif: makeExif(6) }));
    const made = await decoded(await converted(path, "png"));
    expect([made.width, made.height]).toEqual([SIZE.height, SIZE.width]);
    expect(largestDifference(made, await decoded(path))).toBeLessThanOrEqual(4);
  });

  test("a JPEG without an end marker is decoded; a truncated one returns damaged_file", async () => {
    const path = await gradientAs("whole.jpg[Q=100,subsample_mode=off]");
    const bytes = fromDisk(path);
    const endless = onDisk(scratch, bytes.subarray(0, -2), "endless.jpg");
    expect(
      largestDifference(await decoded(await converted(endless, "png")), await decoded(path)),
    ).toBeLessThan(5);
    const half = onDisk(scratch, bytes.subarray(0, bytes.length >> 1), "half.jpg");
    expect((await refusalOf(half, "png")).code).toBe("damaged_file");
  });

  test.each([
    ["a.png", "damaged_file"],
    ["a.webp", "damaged_file"],
  ])("a truncated %s returns %s", async (name, code) => {
    const bytes = fromDisk(await gradientAs(name));
    const half = onDisk(scratch, bytes.subarray(0, bytes.length >> 1), name);
    expect((await refusalOf(half, "png")).code).toBe(code);
  });

  test.each([
    ["png", 1],
    ["webp", 25],
    ["jpg", 25],
  ] as const)("a PDF page becomes %s with a background color", async (to, tolerance) => {
    const input = onDisk(scratch, drawnPdf([{ content: QUARTERS, entries: "/MediaBox[0 0 120 60]" }]));
    const made = await decoded(await converted(input, to, { dpi: "72", background: "#336699" }));
    expect([made.width, made.height]).toEqual([120, 60]);
    // Red is at the bottom left.
    for (const [x, y, color] of [
      [20, 50, [255, 0, 0]],
      [70, 50, [0, 255, 0]],
      [20, 10, [0, 0, 255]],
      [110, 30, [0x33, 0x66, 0x99]],
    ] as const) {
      const at = 3 * (120 * y + x);
      const apart = color.map((value, index) => Math.abs(value - (made.rgb[at + index] ?? -1e9)));
      expect(Math.max(...apart)).toBeLessThanOrEqual(tolerance);
    }
  });

  test.each([
    [
      "GIF",
      async () =>
        onDisk(
          scratch,
          makeGif(
            4,
            2,
            [
              [0, 0, 255],
              [255, 0, 0],
              [0, 255, 0],
              [0, 0, 0],
            ],
            (x) => x % 2,
          ),
          "a.gif",
        ),
    ],
    [
      "BMP",
      async () =>
        onDisk(
          scratch,
          makeBmp(4, 4, () => [0, 0, 255]),
          "a.bmp",
        ),
    ],
    ["AVIF", () => gradientAs("a.avif")],
    ["moving WebP", movingWebp],
  ])("%s is refused with a message that states the reason", async (format, make) => {
    const input = await make();
    for (const output_format of ["png", "jpg", "pdf"]) {
      const { code, message } = await refusalOf(input, output_format);
      expect(code).toBe("unsupported_conversion");
      expect(message).toMatch(new RegExp(`${format}.*fingerprinting.*another browser`));
    }
  });
});

function meanDifference(one: NativePicture, other: NativePicture): number {
  const sum = one.rgb.reduce((total, value, at) => total + Math.abs(value - (other.rgb[at] ?? -1e9)), 0);
  return sum / one.rgb.length;
}
