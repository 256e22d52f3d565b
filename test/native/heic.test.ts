import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readHeif } from "../../workers/image/formats/heic/read-heic.ts";
import { Cursor } from "../../workers/image/isobmff/cursor.ts";
import { type Meta, readMeta } from "../../workers/image/isobmff/meta.ts";
import { ServedClient } from "../support/browsers/served-client.ts";
import { ispe, makeHeif, nclx } from "../support/fixtures/heif.ts";
import { makePng, type PngPlan } from "../support/fixtures/image/png.ts";
import { gridOf, imagesOf } from "../support/fixtures/tiled-heic.ts";
import { type NativePicture, vipsDecodes } from "../support/native-pictures.ts";
import { announceMissing, runTool, Scratch } from "../support/native-tools.ts";
import type { Decoded, JpegOptions } from "./heic-worker.ts";

/** Of 255. The native libheif is another version, which rounds differently. */
const LARGEST_MEAN_DIFFERENCE = 3;
/** The same for JPEGs. */
const LARGEST_JPEG_DIFFERENCE = 1;

const missing = announceMissing("HEIC beside native libheif", ["heif-enc", "heif-convert", "vips"]);

interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly bands: number;
  readonly values: Uint8Array;
}

describe.skipIf(missing.length > 0)("HEIC beside native libheif", () => {
  const scratch = new Scratch();
  let served: ServedClient;
  let page: Page;

  beforeAll(async () => {
    served = await ServedClient.start();
    page = await served.open("test/native/heic-page.ts");
  });
  afterAll(async () => {
    await served.close();
    scratch.remove();
  });

  const share = (file: string) => served.share(file);

  async function count(file: string): Promise<number | string> {
    const said = await page.evaluate((url) => window.heic.count(url), share(file));
    return typeof said === "number" ? said : said.code;
  }

  async function decode(file: string, index: number): Promise<Decoded & { values: Uint8Array }> {
    const answer = scratch.path("values");
    writeFileSync(answer, "");
    // Native tools return the stored values.
    const options = { index, profile: "keep" } as const;
    const said = await page.evaluate(([url, options, answer]) => window.heic.decode(url, options, answer), [
      share(file),
      options,
      share(answer),
    ] as const);
    return { ...said, values: readFileSync(answer) };
  }

  /** Decodes the pictures of a file by native libheif, in order. */
  async function native(file: string): Promise<readonly Pixels[]> {
    const stem = scratch.path("native");
    const { timedOut } = await runTool("heif-convert", [file, `${stem}.png`]);
    expect(timedOut, "heif-convert took too long").toBe(false);
    const names = [`${stem}.png`, ...Array.from({ length: 20 }, (_, index) => `${stem}-${index + 1}.png`)];
    return Promise.all(names.filter(isWritten).map(pixelsOf));
  }

  async function pixelsOf(png: string): Promise<Pixels> {
    const [depth, raw] = [readFileSync(png).readUInt8(24), `${png}.raw`];
    const plain = depth === 16 ? `${png}.v` : png;
    if (depth === 16) await runTool("vips", ["cast", png, plain, "uchar", "--shift"]);
    const { stderr } = await runTool("vips", ["rawsave", plain, raw]);
    expect(stderr).toBe("");
    const [width = 0, height = 0] = pngSize(png);
    const values = readFileSync(raw);
    return { width, height, bands: values.length / width / height, values };
  }

  function expectLikeNative(ours: Decoded & { values: Uint8Array }, wanted: Pixels | undefined) {
    expect(ours).toMatchObject({ width: wanted?.width, height: wanted?.height });
    if (wanted) expect(meanDifference(ours.values, wanted)).toBeLessThan(LARGEST_MEAN_DIFFERENCE);
  }

  async function encoded(name: string, pictures: readonly PngPlan[], ...options: string[]): Promise<string> {
    const file = scratch.path(`${name}.heic`);
    const sources = pictures.map((plan) => {
      const source = scratch.path("source.png");
      writeFileSync(source, makePng(plan));
      return source;
    });
    const { code, stderr } = await runTool("heif-enc", ["-q", "90", ...options, "-o", file, ...sources]);
    expect(code, stderr).toBe(0);
    return file;
  }

  const size = { width: 96, height: 64 };
  const color: PngPlan = {
    ...size,
    colorType: 2,
    bitDepth: 8,
    sample: (x, y) => [x * 2, y * 3, (x + y) & 255],
  };
  const gray: PngPlan = { ...size, colorType: 0, bitDepth: 8, sample: (x, y) => [x + y] };
  const alpha: PngPlan = {
    ...size,
    colorType: 6,
    bitDepth: 8,
    sample: (x, y) => [x * 2, y * 3, 90, 255 - x * 2],
  };
  const deep: PngPlan = {
    ...size,
    colorType: 2,
    bitDepth: 16,
    sample: (x, y) => [x * 500, y * 800, (x + y) * 300],
  };

  test.each<[string, PngPlan, string[]]>([
    ["color", color, []],
    ["gray", gray, []],
    ["alpha", alpha, []],
    ["10 bits", deep, ["-b", "10"]],
    ["no loss", color, ["-L", "-p", "chroma=444", "--matrix_coefficients=0"]],
    ["a thumbnail beside it", color, ["-t", "32"]],
  ])("%s", async (name, plan, options) => {
    const file = await encoded(name, [plan], ...options);
    expect(await count(file)).toBe(1);
    const ours = await decode(file, 0);
    expect(ours).toMatchObject({ hasAlpha: name === "alpha" });
    expectLikeNative(ours, (await native(file))[0]);
  });

  const odd = { ...color, width: 95, height: 63 };
  test.each<[string, PngPlan, string[], "yuv420" | "rgba"]>([
    ["color", color, [], "yuv420"],
    ["odd sides", odd, [], "yuv420"],
    ["the other BT.601", color, ["-p", "x265:colormatrix=bt470bg"], "yuv420"],
    ["BT.709", color, ["-p", "x265:colormatrix=bt709"], "rgba"],
    ["limited range", odd, ["-p", "x265:range=limited"], "rgba"],
    ["chroma halved across only", odd, ["-p", "chroma=422"], "rgba"],
    ["whole chroma", odd, ["-p", "chroma=444"], "rgba"],
    ["10 bits", deep, ["-b", "10"], "rgba"],
    ["gray", gray, [], "rgba"],
  ])("a JPEG of %s is like native libheif's", async (name, plan, options, kind) => {
    const file = await encoded(name.replaceAll(" ", "-"), [plan], ...options);
    const asked = { index: 0, profile: "convert", planes: true } as const;
    expect(
      await page.evaluate(([url, asked]) => window.heic.layout(url, asked), [share(file), asked] as const),
    ).toBe(kind);
    expect(await differenceOfJpegs(file, { quality: 0.92 })).toBeLessThan(LARGEST_JPEG_DIFFERENCE);
  });

  test("a JPEG of the highest quality is like native libheif's and stays below max_bytes", async () => {
    const large = { ...color, width: 1200, height: 800 };
    const file = await encoded("large", [{ ...large, sample: (x, y) => [x / 5, y / 4, (x + y) / 10] }]);
    expect(await differenceOfJpegs(file, { quality: 1 })).toBeLessThan(LARGEST_JPEG_DIFFERENCE);
    expect((await toJpeg(file, { maxBytes: 20_000 })).length).toBeLessThanOrEqual(20_000);
  });

  test("a damaged tile fails the file, in the worker and in a helper", async () => {
    const images = await encoded("tiles", Array(3).fill({ ...color, width: 64, height: 64 }));
    const grid = { columns: 3, tile: { width: 64, height: 64 }, repeats: 1 };
    const bytes = Buffer.from(gridOf(new Uint8Array(readFileSync(images)), grid, { width: 190, height: 60 }));
    const tiles = metaOf(bytes).references.find(({ type }) => type === "dimg")?.to ?? [];
    expect(tiles).toHaveLength(3);
    for (const place of [0, 2]) {
      const damaged = Buffer.from(bytes);
      const start = dataStart(damaged, tiles[place]);
      damaged.fill(0xff, start, start + 4);
      const [file, unused] = [scratch.path("damaged.heic"), scratch.path("unused")];
      writeFileSync(unused, "");
      writeFileSync(file, damaged);
      for (const helpers of [0, 1]) {
        const answer = await page.evaluate(
          ([url, helpers, answer]) => window.heic.toJpeg(url, { quality: 0.5, helpers }, answer),
          [share(file), helpers, share(unused)] as const,
        );
        expect(answer).toMatchObject({ code: "damaged_file" });
      }
    }
  });

  async function toJpeg(file: string, options: JpegOptions): Promise<NativePicture & { length: number }> {
    const answer = scratch.path("ours.jpg");
    writeFileSync(answer, "");
    const said = await page.evaluate(([url, options, answer]) => window.heic.toJpeg(url, options, answer), [
      share(file),
      options,
      share(answer),
    ] as const);
    expect(said).toBe("done");
    return { ...(await vipsDecodes(answer, scratch.path("ours"))), length: statSync(answer).size };
  }

  /** The mean error of our JPEG, and of a native JPEG of quality 92. */
  async function differenceOfJpegs(file: string, options: JpegOptions): Promise<number> {
    const our = await toJpeg(file, options);
    const native = scratch.path("theirs.jpg");
    const { code, stderr } = await runTool("heif-convert", ["-q", "92", file, native]);
    expect(code, stderr).toBe(0);
    const their = await vipsDecodes(native, scratch.path("theirs"));
    expect([our.width, our.height]).toEqual([their.width, their.height]);
    const sum = our.rgb.reduce((sum, value, at) => sum + Math.abs(value - (their.rgb[at] ?? 0)), 0);
    return sum / our.rgb.length;
  }

  // The values that Chromium shows for AVIFs with them.
  test.each([
    ["PQ", 16, 112, 98],
    ["HLG", 18, 128, 99],
  ])("a JPEG of %s is in sRGB", async (name, transfer, value, shown) => {
    const file = await encoded(name, [{ ...gray, colorType: 2, sample: () => [value, value, value] }]);
    const { coding, pictures } = imagesOf(new Uint8Array(readFileSync(file)));
    const properties = [coding, ispe(size.width, size.height), nclx(9, transfer)];
    const [data = new Uint8Array()] = pictures;
    writeFileSync(file, makeHeif({ primary: 1, items: [{ id: 1, type: "hvc1", properties, data }] }));
    const { rgb } = await toJpeg(file, { quality: 0.92 });
    expect(rgb.every((one) => Math.abs(one - shown) <= 2)).toBe(true);
  });

  test("one damaged picture of three does not affect the others", async () => {
    const file = await encoded("three", [color, alpha, gray]);
    expect(await count(file)).toBe(3);
    const good = await native(file);
    const bytes = readFileSync(file);
    const [, second] = await readHeif(new Blob([bytes]));
    const start = dataStart(bytes, second?.item);
    // The length of the first piece of coded data.
    bytes.fill(0xff, start, start + 4);
    writeFileSync(file, bytes);
    expectLikeNative(await decode(file, 0), good[0]);
    expect(await decode(file, 1)).toMatchObject({ code: "damaged_file" });
    expectLikeNative(await decode(file, 2), good[2]);
  });

  test("converts a series of 40 pictures with different properties", async () => {
    const series = Array.from({ length: 40 }, (_, index): PngPlan => {
      return { ...color, width: 64 + 2 * index };
    });
    const file = await encoded("series", series);
    expect(await count(file)).toBe(series.length);
    const [first] = await native(file);
    expectLikeNative(await decode(file, 0), first);
    expect(await decode(file, 39)).toMatchObject({ width: 64 + 2 * 39 });
  });

  test("converts a picture of more than a thousand tiles", async () => {
    const side = 64;
    const tile = await encoded("tile", [{ ...color, width: side, height: side }]);
    const grid = { columns: 33, tile: { width: side, height: side }, repeats: 33 * 32 };
    const shown = { width: 33 * side - 10, height: 32 * side - 20 };
    const file = scratch.path("thousand.heic");
    writeFileSync(file, gridOf(new Uint8Array(readFileSync(tile)), grid, shown));
    expectLikeNative(await decode(file, 0), (await native(file))[0]);
  });
});

/** heif-convert writes an empty file for an invalid color profile. */
function isWritten(file: string): boolean {
  return existsSync(file) && statSync(file).size > 0;
}

/** The offset of an item's data. */
function dataStart(bytes: Buffer<ArrayBuffer>, item = 0): number {
  return metaOf(bytes).locations.get(item)?.extents[0]?.offset ?? Number.NaN;
}

function metaOf(bytes: Buffer<ArrayBuffer>): Meta {
  const at = bytes.indexOf("meta") + 4;
  return readMeta(
    new Cursor(new Uint8Array(bytes.buffer, bytes.byteOffset + at, bytes.readUInt32BE(at - 8) - 8), at),
  );
}

function pngSize(file: string): readonly number[] {
  const bytes = readFileSync(file);
  return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
}

/** The difference of the colors, and of alpha when both have it. */
function meanDifference(ours: Uint8Array, { width, height, bands, values }: Pixels): number {
  const channels = bands === 2 || bands === 4 ? [0, 1, 2, 3] : [0, 1, 2];
  let sum = 0;
  for (let pixel = 0; pixel < width * height; pixel++) {
    for (const channel of channels) {
      const band = bands < 3 ? (channel === 3 ? 1 : 0) : channel;
      sum += Math.abs((ours[pixel * 4 + channel] ?? 0) - (values[pixel * bands + band] ?? 0));
    }
  }
  return sum / (width * height * channels.length);
}
