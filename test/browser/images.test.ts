import decoderUrl from "@jsquash/webp/codec/dec/webp_dec.wasm?url";
import { unzlibSync, zlibSync } from "fflate";
import { describe, expect, test, vi } from "vitest";
import { codec as webp } from "../../workers/image/codecs/webp.ts";
import { readJpeg } from "../../workers/image/containers/jpeg.ts";
import { bufferSource } from "../../workers/pdf/bytes/source.ts";
import { makeBmp, makeGif } from "../fixtures/image/gif-and-bmp.ts";
import {
  displayP3,
  jpegWith,
  makeExif,
  makeXmp,
  p3ToSrgb,
  webpWithExif,
} from "../fixtures/image/metadata.ts";
import { concat, makePng, pngChunks, pngGamma, pngProfile } from "../fixtures/image/png.ts";
import { blobOf, bytesOf, convert, drawing, largestDifference, newClient, pixel, shown } from "./pictures.ts";

const TYPES = { jpg: "image/jpeg", png: "image/png", webp: "image/webp", avif: "image/avif" };

const QUARTERS = [
  [255, 0, 0],
  [0, 255, 0],
  [0, 0, 255],
  [255, 255, 255],
] as const;

/** A quarter each of red, green, blue and white: lossy formats keep their middles. */
function quarters(context: OffscreenCanvasRenderingContext2D): void {
  const { width, height } = context.canvas;
  for (const [index, colour] of ["red", "lime", "blue", "white"].entries()) {
    context.fillStyle = colour;
    context.fillRect(((index % 2) * width) / 2, (index >> 1) * (height / 2), width / 2, height / 2);
  }
}

describe("every pair", () => {
  const makers: Record<string, () => Promise<Uint8Array<ArrayBuffer>>> = {
    jpg: () => drawing("image/jpeg", 64, 32, quarters),
    png: () => drawing("image/png", 64, 32, quarters),
    webp: () => drawing("image/webp", 64, 32, quarters),
    avif: async () => bytesOf(await convert(await drawing("image/png", 64, 32, quarters), "avif")),
    gif: async () => makeGif(64, 32, QUARTERS, (x, y) => (x < 32 ? 0 : 1) + (y < 16 ? 0 : 2)),
    bmp: async () => makeBmp(64, 32, (x, y) => QUARTERS[(x < 32 ? 0 : 1) + (y < 16 ? 0 : 2)] ?? []),
  };

  for (const from of Object.keys(makers)) {
    test.each(Object.entries(TYPES))(`${from} to %s`, async (to, type) => {
      const file = new File([(await makers[from]?.()) ?? new Uint8Array()], `C:\\photos\\a.b.${from}`);
      const result = await newClient().convert({ file, output_format: to });
      expect(result.file_name).toBe(`a.b.${to}`);
      const made = await blobOf(result);
      expect(made.type).toBe(type);
      const picture = await shown(made);
      expect([picture.width, picture.height]).toEqual([64, 32]);
      const middles = [
        [16, 8, 255, 0, 0],
        [48, 8, 0, 255, 0],
        [16, 24, 0, 0, 255],
        [48, 24, 255, 255, 255],
      ] as const;
      for (const [x, y, ...colour] of middles) {
        const found = pixel(picture, x, y);
        for (const [index, value] of colour.entries())
          expect(Math.abs((found[index] ?? 0) - value)).toBeLessThanOrEqual(12);
      }
    });
  }
});

describe("orientation is applied exactly once", () => {
  // Which quarter, as numbered above, an upright picture has at its top left and top right.
  const TOP = [
    [1, 0, 1],
    [2, 1, 0],
    [3, 3, 2],
    [4, 2, 3],
    [5, 0, 2],
    [6, 2, 0],
    [7, 3, 1],
    [8, 1, 3],
  ] as const;
  const sources: Record<string, (orientation: number) => Promise<Uint8Array<ArrayBuffer>>> = {
    jpg: async (orientation) =>
      jpegWith(await drawing("image/jpeg", 64, 32, quarters), { exif: makeExif(orientation) }),
    png: async (orientation) =>
      makePng({
        ...{ width: 64, height: 32, colorType: 2, bitDepth: 8 },
        sample: (x, y) => QUARTERS[(x < 32 ? 0 : 1) + (y < 16 ? 0 : 2)] ?? [],
        chunks: [["eXIf", makeExif(orientation)]],
      }),
    "png with alpha": async (orientation) =>
      makePng({
        ...{ width: 64, height: 32, colorType: 6, bitDepth: 8 },
        sample: (x, y) => [...(QUARTERS[(x < 32 ? 0 : 1) + (y < 16 ? 0 : 2)] ?? []), 255],
        chunks: [["eXIf", makeExif(orientation)]],
      }),
    webp: async (orientation) =>
      webpWithExif(await drawing("image/webp", 64, 32, quarters, 0.9), makeExif(orientation), 64, 32),
  };

  for (const [name, make] of Object.entries(sources)) {
    test.each(TOP)(`${name}, %i`, async (orientation, topLeft, topRight) => {
      for (const keep_metadata of [false, true]) {
        const made = await convert(await make(orientation), "png", { keep_metadata });
        const picture = await shown(made);
        expect([picture.width, picture.height]).toEqual(orientation < 5 ? [64, 32] : [32, 64]);
        const at = (x: number) =>
          pixel(picture, x, 8)
            .slice(0, 3)
            .map((value) => (value > 127 ? 255 : 0));
        expect(at(8)).toEqual(QUARTERS[topLeft]);
        expect(at(picture.width - 8)).toEqual(QUARTERS[topRight]);
      }
    });
  }
});

describe("transparency", () => {
  const half = (context: OffscreenCanvasRenderingContext2D) => {
    context.fillStyle = "rgb(0 0 255 / 0.5)";
    context.fillRect(0, 0, 16, 32);
  };

  test.each([
    [undefined, [255, 255, 255], [127, 127, 255]],
    ["#ff0000", [255, 0, 0], [127, 0, 128]],
    ["rgb(0 255 0)", [0, 255, 0], [0, 127, 128]],
    ["transparent", [255, 255, 255], [127, 127, 255]],
  ] as const)("has the background %s behind it in a jpg", async (background, clear, blended) => {
    const made = await convert(await drawing("image/png", 32, 32, half), "jpg", {
      background,
      quality: 1,
    });
    const picture = await shown(made);
    const near = (found: number[], wanted: readonly number[]) =>
      wanted.every((value, index) => Math.abs(value - (found[index] ?? 0)) <= 4);
    expect(near(pixel(picture, 24, 16), clear)).toBe(true);
    expect(near(pixel(picture, 8, 16), blended)).toBe(true);
  });

  test("a background that is no colour is invalid_parameter", async () => {
    const png = await drawing("image/png", 8, 8, half);
    await expect(convert(png, "jpg", { background: "no colour" })).rejects.toMatchObject({
      code: "invalid_parameter",
      details: { parameter: "background" },
    });
  });

  /** Every value under every alpha, colours under no alpha at all among them. */
  const values = (x: number, y: number) => [x, 255 - x, (x * 7) % 256, y];
  const allAlphas = () => makePng({ width: 256, height: 256, colorType: 6, bitDepth: 8, sample: values });

  test("png to webp and back is exact", async () => {
    const made = await convert(allAlphas(), "webp");
    expect(await exactPixels(made)).toEqual(expectedPixels());
    const back = await convert(made, "png");
    const { decodePng } = await import("../../workers/image/wasm/png.ts");
    const { default: url } = await import("@jsquash/png/codec/pkg/squoosh_png_bg.wasm?url");
    const decoded = await decodePng(await compiled(url), await bytesOf(back));
    expect(decoded.data).toEqual(expectedPixels());
  });

  test("a quality makes it smaller and leaves alpha exact", async () => {
    const uneven = makePng({
      ...{ width: 256, height: 256, colorType: 6, bitDepth: 8 },
      sample: (x, y) => [(x * x + 7 * y) % 256, (x * y) % 256, (x * x * y) % 251, y],
    });
    const lossless = await convert(uneven, "webp");
    const lossy = await convert(uneven, "webp", { quality: 0.3 });
    expect(lossy.size).toBeLessThan(lossless.size / 2);
    const pixels = await exactPixels(lossy);
    for (let at = 3; at < pixels.length; at += 4) expect(pixels[at]).toBe(at >> 10);
  });

  /** By libwebp itself: a canvas would premultiply. */
  async function exactPixels(file: Blob): Promise<Uint8ClampedArray> {
    const { decodeWebp } = await import("../../workers/image/wasm/webp-decoder.ts");
    const decoded = await decodeWebp(await compiled(decoderUrl), await bytesOf(file));
    if (decoded === null) throw new Error("libwebp cannot read it");
    return decoded.data;
  }

  function expectedPixels(): Uint8ClampedArray {
    const pixels = new Uint8ClampedArray(4 * 256 * 256);
    for (let y = 0; y < 256; y++) for (let x = 0; x < 256; x++) pixels.set(values(x, y), 4 * (256 * y + x));
    return pixels;
  }
});

describe("colour", () => {
  // Within sRGB.
  const COLOURS = [
    [128, 128, 128],
    [150, 100, 90],
    [90, 140, 110],
    [100, 110, 180],
    [240, 235, 220],
    [30, 25, 40],
  ] as const;
  const patches = (x: number) => COLOURS[x >> 4] ?? [0, 0, 0];
  const p3Png = (alpha: boolean) =>
    makePng({
      ...{ width: 96, height: 16, colorType: alpha ? 6 : 2, bitDepth: 8 },
      sample: (x) => [...patches(x), ...(alpha ? [255] : [])],
      chunks: [["iCCP", pngProfile(displayP3())]],
    });
  const plainPng = () =>
    makePng({ width: 96, height: 16, colorType: 2, bitDepth: 8, sample: (x) => [...patches(x)] });
  const plainJpeg = () =>
    drawing("image/jpeg", 96, 16, (context) => {
      for (const [index, colour] of COLOURS.entries()) {
        context.fillStyle = `rgb(${colour.join(" ")})`;
        context.fillRect(16 * index, 0, 16, 16);
      }
    });
  const p3Jpeg = async () => jpegWith(await plainJpeg(), { icc: displayP3() });
  const expectColours = (
    picture: ImageData,
    wanted: (colour: readonly [number, number, number]) => number[],
  ) => {
    for (const [index, colour] of COLOURS.entries()) {
      const found = pixel(picture, 16 * index + 8, 8);
      for (const [channel, value] of wanted(colour).entries())
        expect(Math.abs((found[channel] ?? 0) - value)).toBeLessThanOrEqual(2);
    }
  };

  test("of Display P3, in a PNG, becomes sRGB", async () => {
    const made = await convert(p3Png(false), "png");
    expect([...pngChunks(await bytesOf(made)).keys()]).not.toContain("iCCP");
    expectColours(await shown(made), p3ToSrgb);
  });

  test("of Display P3, in a JPEG, becomes sRGB", async () => {
    const stored = await shown(new Blob([await plainJpeg()]));
    const made = await shown(await convert(await p3Jpeg(), "png"));
    for (let x = 8; x < 96; x += 16) {
      const [red = 0, green = 0, blue = 0] = pixel(stored, x, 8);
      const found = pixel(made, x, 8);
      for (const [channel, value] of p3ToSrgb([red, green, blue]).entries())
        expect(Math.abs((found[channel] ?? 0) - value)).toBeLessThanOrEqual(2);
    }
  });

  test("of Display P3, with transparency, stays exact and says so", async () => {
    const made = await convert(p3Png(true), "png");
    expect([...pngChunks(await bytesOf(made)).keys()]).toContain("iCCP");
    expectColours(await shown(made), p3ToSrgb);
    expectColours(await shown(await convert(p3Png(true), "webp")), p3ToSrgb);
    expectColours(await shown(await convert(p3Png(true), "jpg", { quality: 1 })), p3ToSrgb);
  });

  test("of Display P3 stays P3 with keep_metadata", async () => {
    const p3 = p3Png(false);
    for (const source of [p3, await p3Jpeg()]) {
      const made = await convert(source, "png", { keep_metadata: true });
      expect([...pngChunks(await bytesOf(made)).keys()]).toContain("iCCP");
      expect(largestDifference(await shown(made), await shown(new Blob([source])))).toBeLessThanOrEqual(1);
      // The values are the source's own: without the profile, they are shown as they are.
      const chunkless = await createImageBitmap(made, { colorSpaceConversion: "none" });
      const canvas = new OffscreenCanvas(96, 16);
      canvas.getContext("2d")?.drawImage(chunkless, 0, 0);
      const raw = canvas.getContext("2d")?.getImageData(0, 0, 96, 16);
      if (raw === undefined) throw new Error("no canvas");
      const own = await shown(new Blob([source === p3 ? plainPng() : await plainJpeg()]));
      expect(largestDifference(raw, own)).toBeLessThanOrEqual(1);
    }
  });

  test.each([
    ["png", 1],
    ["webp", 1],
    ["jpg", 4],
    ["avif", 8],
  ] as const)("of a PNG with an exponent of its own is shown alike from %s", async (to, tolerance) => {
    const source = makePng({
      ...{ width: 128, height: 16, colorType: 0, bitDepth: 8 },
      sample: (x) => [2 * x],
      chunks: [["gAMA", pngGamma(1)]],
    });
    const made = await convert(source, to, { quality: 1 });
    expect(largestDifference(await shown(made), await shown(new Blob([source])))).toBeLessThanOrEqual(
      tolerance,
    );
  });

  test.each([
    ["1-bit grey, interlaced", { colorType: 0, bitDepth: 1, interlaced: true }, 1],
    ["2-bit grey", { colorType: 0, bitDepth: 2 }, 1],
    ["16-bit grey", { colorType: 0, bitDepth: 16 }, 1],
    ["16-bit colour, interlaced", { colorType: 2, bitDepth: 16, interlaced: true }, 3],
    ["16-bit grey and alpha", { colorType: 4, bitDepth: 16 }, 2],
    ["16-bit colour and alpha", { colorType: 6, bitDepth: 16 }, 4],
    ["8-bit grey and alpha, interlaced", { colorType: 4, bitDepth: 8, interlaced: true }, 2],
  ] as const)("%s is read right", async (_, plan, channels) => {
    const most = 2 ** plan.bitDepth - 1;
    const hasAlpha = plan.colorType >= 4;
    const sample = (x: number, y: number) =>
      Array.from({ length: channels }, (_, channel) =>
        hasAlpha && channel === channels - 1 ? most : Math.floor((((x + y * channel) % 20) / 19) * most),
      );
    const source = makePng({ width: 20, height: 20, ...plan, sample });
    const picture = await shown(await convert(source, "png"));
    for (let y = 0; y < 20; y += 3) {
      for (let x = 0; x < 20; x++) {
        const samples = sample(x, y).map((value) => Math.round((value / most) * 255));
        const [red = 0, green = red, blue = red] = hasAlpha ? samples.slice(0, -1) : samples;
        const found = pixel(picture, x, y);
        for (const [channel, value] of [red, green, blue, 255].entries())
          expect(Math.abs((found[channel] ?? 0) - value)).toBeLessThanOrEqual(1);
      }
    }
  });

  test("a palette with transparency is read right", async () => {
    const source = makePng({
      ...{ width: 4, height: 1, colorType: 3, bitDepth: 2 },
      sample: (x) => [x],
      chunks: [
        ["PLTE", Uint8Array.of(255, 0, 0, 0, 255, 0, 0, 0, 255, 9, 9, 9)],
        ["tRNS", Uint8Array.of(255, 255, 0)],
      ],
    });
    const picture = await shown(await convert(source, "png"));
    expect([0, 1, 2, 3].map((x) => pixel(picture, x, 0))).toEqual([
      [255, 0, 0, 255],
      [0, 255, 0, 255],
      [0, 0, 0, 0],
      [9, 9, 9, 255],
    ]);
  });
});

describe("metadata", () => {
  const text = async (blob: Blob) => new TextDecoder("latin1").decode(await blob.arrayBuffer());
  const photo = async () =>
    jpegWith(await drawing("image/jpeg", 64, 32, quarters), { exif: makeExif(6), xmp: makeXmp(6) });

  test.each(["jpg", "png", "webp", "avif"])("is gone from a %s", async (to) => {
    const made = await text(await convert(await photo(), to));
    expect(made).not.toMatch(/Exif\0\0|eXIf|EXIF|xmpmeta|a camera/);
  });

  test.each(["jpg", "png", "webp"])("is kept in a %s when asked for, and turns nothing twice", async (to) => {
    const made = await convert(await photo(), to, { keep_metadata: true });
    const inside = await text(made);
    const exif = new TextDecoder("latin1").decode(makeExif(1));
    expect(inside).toContain(exif);
    expect(inside).toContain('tiff:Orientation="1" dc:source="a camera"');
    const { width, height } = await shown(made);
    expect([width, height]).toEqual([32, 64]);
    // And once more, from the format that it is in now.
    const again = await text(await convert(made, "jpg", { keep_metadata: true }));
    expect(again).toContain(exif);
    expect(again).toContain("a camera");
  });

  test("cannot be kept in an avif, which is said", async () => {
    await expect(convert(await photo(), "avif", { keep_metadata: true })).rejects.toMatchObject({
      code: "invalid_parameter",
      details: { parameter: "keep_metadata" },
    });
  });
});

describe("max_bytes", () => {
  const noise = (type: string) =>
    drawing(type, 300, 200, (context) => {
      const image = context.createImageData(300, 200);
      for (let at = 0; at < image.data.length; at++) image.data[at] = at % 4 === 3 ? 255 : (at * 7919) % 251;
      context.putImageData(image, 0, 0);
    });

  test.each(["jpg", "webp"])("is met by %s at a quality that uses it", async (to) => {
    const free = await convert(await noise("image/png"), to);
    const max_bytes = Math.round(free.size * 0.6);
    const made = await convert(await noise("image/png"), to, { max_bytes });
    expect(made.size).toBeLessThanOrEqual(max_bytes);
    expect(made.size).toBeGreaterThan(max_bytes * 0.6);
  });

  test("leaves alone what fits", async () => {
    const free = await bytesOf(await convert(await noise("image/png"), "jpg"));
    expect(await bytesOf(await convert(await noise("image/png"), "jpg", { max_bytes: free.length }))).toEqual(
      free,
    );
  });

  test.each(["jpg", "webp", "png"])("that cannot be met by %s says how small it can be", async (to) => {
    await expect(convert(await noise("image/png"), to, { max_bytes: 500 })).rejects.toMatchObject({
      code: "invalid_parameter",
      details: { parameter: "max_bytes", smallest: expect.any(Number) },
    });
  });
});

describe("limits", () => {
  test.each([
    [16_385, 1],
    [1, 16_385],
    [20_000, 20_000],
  ])("%i × %i is input_too_large, not a blank picture", async (width, height) => {
    // Only the header says so: nothing of the picture may be looked at.
    const file = makePng({
      ...{ width: 1, height: 1, colorType: 0, bitDepth: 8, claims: { width, height } },
      sample: () => [0],
    });
    await expect(convert(file, "png")).rejects.toMatchObject({
      code: "input_too_large",
      message: expect.stringContaining(`${width} × ${height}`),
      details: expect.objectContaining({ width, height, longest_side: 16_384 }),
    });
  });

  test("the longest side that there may be is drawn", async () => {
    const source = makePng({ width: 16_384, height: 2, colorType: 0, bitDepth: 8, sample: (x) => [x % 251] });
    const picture = await shown(await convert(source, "png"));
    expect(picture.width).toBe(16_384);
    expect(pixel(picture, 16_383, 1)[0]).toBe(16_383 % 251);
  });

  test("WebP has a limit of its own", async () => {
    const source = makePng({ width: 16_384, height: 1, colorType: 0, bitDepth: 8, sample: () => [0] });
    await expect(convert(source, "webp")).rejects.toMatchObject({
      code: "input_too_large",
      details: { longest_side: 16_383 },
    });
  });

  test.each(["image/jpeg", "image/png", "image/webp"])(
    "%s cut off anywhere is damaged_file",
    async (type) => {
      const whole = await drawing(type, 200, 200, quarters);
      for (const share of [0.02, 0.3, 0.6, 0.95]) {
        const cut = whole.slice(0, Math.max(16, Math.floor(whole.length * share)));
        await expect(convert(cut, "png")).rejects.toMatchObject({ code: "damaged_file" });
      }
    },
  );

  test("a PNG without its end, and with a wrong check sum, is repaired", async () => {
    const whole = await drawing("image/png", 20, 20, quarters);
    const cut = whole.slice(0, -12);
    expect((await shown(await convert(cut, "png"))).width).toBe(20);
    const wrong = whole.slice();
    wrong[wrong.length - 13] = (wrong.at(-13) ?? 0) ^ 1;
    expect((await shown(await convert(wrong, "png"))).width).toBe(20);
  });

  test.each([1, 6])(
    "a JPEG with a foreign marker within its scan is decoded up to it, orientation %i",
    async (orientation) => {
      const whole = await drawing("image/jpeg", 64, 64, quarters);
      const { scans } = readJpeg(bufferSource(whole));
      // Behind what codes the upper half, red and green.
      const damaged = withForeignMarker(whole, scans + Math.floor((whole.length - scans) * 0.75));
      await expect(createImageBitmap(new Blob([damaged], { type: "image/jpeg" }))).rejects.toThrow();
      const tagged = jpegWith(damaged, { exif: makeExif(orientation) });
      for (const to of ["png", "webp", "jpg"]) {
        const picture = await shown(await convert(tagged, to));
        expect([picture.width, picture.height]).toEqual([64, 64]);
        const [x, y] = orientation === 1 ? [16, 8] : [56, 16];
        const [red = 0, green = 255, blue = 255] = pixel(picture, x, y);
        expect(red).toBeGreaterThan(240);
        expect(Math.max(green, blue)).toBeLessThan(15);
      }
    },
  );

  test("a damaged JPEG's colours are those of its profile", async () => {
    const whole = await drawing("image/jpeg", 64, 64, (context) => {
      context.fillStyle = "rgb(150 100 90)";
      context.fillRect(0, 0, 64, 64);
    });
    const damaged = jpegWith(withForeignMarker(whole, whole.length - 8), { icc: displayP3() });
    for (const to of ["png", "webp", "avif"]) {
      const found = pixel(await shown(await convert(damaged, to, { quality: 1 })), 8, 8);
      for (const [channel, value] of p3ToSrgb([150, 100, 90]).entries())
        expect(Math.abs((found[channel] ?? 0) - value)).toBeLessThanOrEqual(4);
    }
  });

  test("what makes no sense behind the pixels of a JPEG is left out", async () => {
    const whole = await drawing("image/jpeg", 64, 64, quarters);
    const end = whole.length - 2;
    // A table that makes no sense, and the end.
    const damaged = concat([whole.subarray(0, end), Uint8Array.of(0xff, 0xc4, 0, 4, 0xee, 0xee, 0xff, 0xd9)]);
    await expect(createImageBitmap(new Blob([damaged], { type: "image/jpeg" }))).rejects.toThrow();
    const picture = await shown(await convert(damaged, "png"));
    expect(pixel(picture, 48, 48).every((value) => value > 240)).toBe(true);
  });

  test.each([
    ["opaque", 2, false],
    ["opaque, interlaced", 2, true],
    ["transparent", 6, false],
  ] as const)(
    "a PNG with wrong check sums and a filter that does not exist, %s",
    async (_, colorType, interlaced) => {
      const plan = {
        ...({ width: 24, height: 20, bitDepth: 8 } as const),
        ...{ colorType, interlaced },
        sample: (x: number, y: number) => [10 * x, 12 * y, 99, ...(colorType === 6 ? [8 * x + 60] : [])],
      } as const;
      const damaged = withDamagedRows(makePng(plan));
      await expect(createImageBitmap(new Blob([damaged], { type: "image/png" }))).rejects.toThrow();
      // The first row is blank; interlaced, it is the first of the first pass, every eighth pixel of the picture's.
      const isBlank = (x: number, y: number) => y === 0 && (!interlaced || x % 8 === 0);
      const blank = {
        ...plan,
        sample: (x: number, y: number) => plan.sample(x, y).map((value) => (isBlank(x, y) ? 0 : value)),
      };
      const expected = await shown(new Blob([makePng(blank)]));
      expect(largestDifference(await shown(await convert(damaged, "png")), expected)).toBe(0);
      const pdf = await convert(damaged, "pdf");
      expect(new TextDecoder("latin1").decode(await bytesOf(pdf))).toContain("/Width 24");
    },
  );

  test("pages picks of one image, and there is no second", async () => {
    const png = await drawing("image/png", 8, 8, quarters);
    expect((await convert(png, "jpg", { pages: "1" })).type).toBe("image/jpeg");
    await expect(convert(png, "jpg", { pages: "1,2" })).rejects.toMatchObject({
      code: "invalid_page_selection",
      details: { page_count: 1 },
    });
  });
});

describe("a browser that does not write WebP", () => {
  test("gives a PNG instead and says nothing: libwebp writes it", async () => {
    const native = OffscreenCanvas.prototype.convertToBlob;
    const spy = vi.spyOn(OffscreenCanvas.prototype, "convertToBlob").mockImplementation(function (
      this: OffscreenCanvas,
    ) {
      return native.call(this, { type: "image/png" });
    });
    const file = new Blob([await drawing("image/png", 64, 32, quarters)]);
    spy.mockClear();
    const bitmap = await createImageBitmap(file);
    const picture = { kind: "bitmap", width: 64, height: 32, bitmap, hasAlpha: false } as const;
    const made = await webp.encoder?.encode(picture, { quality: 0.9 });
    expect(spy).toHaveBeenCalledTimes(1);
    spy.mockRestore();
    if (made === undefined) throw new Error("webp is written");
    expect(made.type).toBe("image/webp");
    expect(new TextDecoder().decode(await made.slice(8, 12).arrayBuffer())).toBe("WEBP");
    expect(pixel(await shown(made), 16, 8)[0]).toBeGreaterThan(240);
  });
});

/** A marker that no JPEG has, at a place of the coded data. */
function withForeignMarker(jpeg: Uint8Array, at: number): Uint8Array<ArrayBuffer> {
  // Not between 0xff and its zero.
  const place = jpeg[at - 1] === 0xff ? at + 1 : at;
  return concat([jpeg.subarray(0, place), Uint8Array.of(0xff, 0xf7, 0, 2), jpeg.subarray(place)]);
}

/** Makes the filter of one row one that does not exist, and the check sums of the pixels wrong. */
function withDamagedRows(png: Uint8Array): Uint8Array<ArrayBuffer> {
  const rows = unzlibSync(pngChunks(png).get("IDAT") ?? new Uint8Array());
  rows[0] = 99;
  const packed = zlibSync(rows);
  packed[packed.length - 1] = (packed.at(-1) ?? 0) ^ 1;
  const at = new TextDecoder("latin1").decode(png).indexOf("IDAT");
  const length = new Uint8Array(4);
  new DataView(length.buffer).setUint32(0, packed.length);
  return concat([
    png.subarray(0, at - 4),
    length,
    png.subarray(at, at + 4),
    packed,
    new Uint8Array(4),
    png.subarray(-12),
  ]);
}

async function compiled(url: string): Promise<WebAssembly.Module> {
  return WebAssembly.compile(await (await fetch(url)).arrayBuffer());
}
