import { zlibSync } from "fflate";
import { describe, expect, test } from "vitest";
import { codec as jpg } from "../../workers/image/formats/jpg/codec.ts";
import { codec as png } from "../../workers/image/formats/png/codec.ts";
import { joined } from "../fixtures/image/bytes.ts";
import { makeExif } from "../fixtures/image/metadata.ts";
import { makePng, type PngPlan, pngChunk, pngGamma } from "../fixtures/image/png.ts";
import { bytesOf, convert } from "./pictures.ts";

const SIZE = { width: 2300, height: 1801 };
const SIGNATURE_BYTES = 8;
const END_BYTES = 12;
const CHUNK_BYTES = 8192;

/** Shapes and noise: red, green and blue, or alpha, too. */
function large(hasAlpha: boolean): Uint8Array<ArrayBuffer> {
  const { width, height } = SIZE;
  const pixelBytes = hasAlpha ? 4 : 3;
  const rows = new Uint8Array(height * (1 + width * pixelBytes));
  let seed = 1;
  for (let at = 0, y = 0; y < height; y++) {
    at++;
    for (let x = 0; x < width; x++, at += pixelBytes) {
      seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
      rows[at] = x >> 1;
      rows[at + 1] = (y & 0xf0) + (seed >>> 30);
      rows[at + 2] = y >> 3;
      if (hasAlpha) rows[at + 3] = x + y;
    }
  }
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  header.set([8, hasAlpha ? 6 : 2], 8);
  const empty = makePng({ width: 1, height: 1, colorType: 2, bitDepth: 8, sample: () => [0, 0, 0] });
  const packed = zlibSync(rows, { level: 1 });
  const chunks: Uint8Array[] = [];
  for (let at = 0; at < packed.length; at += CHUNK_BYTES) {
    chunks.push(pngChunk("IDAT", packed.subarray(at, at + CHUNK_BYTES)));
  }
  return joined([
    empty.subarray(0, SIGNATURE_BYTES),
    pngChunk("IHDR", header),
    ...chunks,
    empty.subarray(-END_BYTES),
  ]);
}

/** The same picture with something behind its pixels, for which it is decoded as a whole. */
function withRemark(file: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const remark = pngChunk("tEXt", Uint8Array.of(0x61, 0, 0x62));
  return joined([file.subarray(0, -END_BYTES), remark, file.subarray(-END_BYTES)]);
}

const inBands = (file: Uint8Array<ArrayBuffer>) => png.decoder?.decodeInBands?.(new Blob([file]));
const outcomeOf = (file: Uint8Array<ArrayBuffer>) =>
  convert(file, "jpg", { quality: 0.8 }).then(bytesOf, (thrown) => thrown.code);

describe("a large PNG that becomes a JPG as it is decoded", () => {
  test.each([
    [false, "white"],
    [true, "white"],
    [true, "#3060c0"],
  ])("is the same file as when it is decoded as a whole (alpha: %s, on %s)", async (hasAlpha, background) => {
    const file = large(hasAlpha);
    expect(await inBands(withRemark(file))).toBeUndefined();
    const whole = await convert(withRemark(file), "jpg", { quality: 0.85, background });
    const expected = await bytesOf(whole);
    // By whoever is there: the first time a helper may be started, and from then on it is there.
    for (let time = 0; time < 2; time++) {
      const converted = await bytesOf(await convert(file, "jpg", { quality: 0.85, background }));
      expect(isSame(converted, expected)).toBe(true);
    }
    const picture = await inBands(file);
    if (picture === undefined) throw new Error("it is not decoded in bands");
    expect(picture).toMatchObject({ ...SIZE, hasAlpha });
    const backdrop = background === "white" ? "#ffffff" : background;
    const alone = await jpg.encoder?.encodeBands?.(picture, { quality: 0.85, helpers: 0, backdrop });
    expect(isSame(await bytesOf(alone ?? new Blob()), expected)).toBe(true);
  });

  test("keeps metadata that it is to keep", async () => {
    const file = large(false);
    const exif = pngChunk("eXIf", makeExif(1));
    const header = 33;
    const told = joined([file.subarray(0, header), exif, file.subarray(header)]);
    expect(await inBands(told)).toBeDefined();
    const kept = await bytesOf(await convert(told, "jpg", { quality: 0.8, keep_metadata: true }));
    const whole = await bytesOf(
      await convert(withRemark(told), "jpg", { quality: 0.8, keep_metadata: true }),
    );
    expect(isSame(kept, whole)).toBe(true);
    expect(String.fromCharCode(...kept.subarray(0, 100))).toContain("Exif");
  });

  test("is what it is as a whole, where it is damaged", async () => {
    const file = large(false);
    const damages: ((damaged: Uint8Array<ArrayBuffer>) => void)[] = [
      (damaged) => damaged.fill(0x55, damaged.length >> 1, (damaged.length >> 1) + 100),
      (damaged) => damaged.fill(0, damaged.length - 30, damaged.length - END_BYTES),
    ];
    for (const damage of damages) {
      const damaged = file.slice();
      damage(damaged);
      const [ours, whole] = [await outcomeOf(damaged), await outcomeOf(withRemark(damaged))];
      if (typeof ours === "string" || typeof whole === "string") expect(ours).toBe(whole);
      else expect(isSame(ours, whole)).toBe(true);
    }
    expect(await outcomeOf(file.slice(0, -1000))).toBe("damaged_file");
  });
});

describe("a PNG is decoded in bands", () => {
  const plain: PngPlan = { width: 9, height: 7, colorType: 2, bitDepth: 8, sample: () => [1, 2, 3, 4] };

  test.each<[string, Partial<PngPlan>]>([
    ["is red, green and blue", {}],
    ["has alpha", { colorType: 6 }],
    ["says that it is upright", { chunks: [["eXIf", makeExif(1)]] }],
  ])("that %s", async (_, plan) => {
    expect(await inBands(makePng({ ...plain, ...plan }))).toBeDefined();
  });

  test.each<[string, Partial<PngPlan>]>([
    ["is gray", { colorType: 0 }],
    ["is gray, with alpha", { colorType: 4 }],
    ["has a palette", { colorType: 3, chunks: [["PLTE", new Uint8Array(15)]] }],
    ["has 16 bits a sample", { bitDepth: 16 }],
    ["is interlaced", { interlaced: true }],
    ["has a color that is transparent", { chunks: [["tRNS", new Uint8Array(6)]] }],
    ["is turned", { chunks: [["eXIf", makeExif(6)]] }],
    ["has colors of its own", { chunks: [["gAMA", pngGamma(1)]] }],
    ["says something behind its pixels", { lateChunks: [["tEXt", Uint8Array.of(0x61, 0, 0x62)]] }],
  ])("but not one that %s", async (_, plan) => {
    expect(await inBands(makePng({ ...plain, ...plan }))).toBeUndefined();
  });

  test("but not what is none", async () => {
    expect(await inBands(Uint8Array.of(1, 2, 3))).toBeUndefined();
  });
});

test("bands are not encoded at the highest quality, nor small pictures", () => {
  const picture = { ...SIZE, hasAlpha: false, async *bands() {} };
  expect(jpg.encoder?.encodeBands?.(picture, { quality: 1 })).toBeUndefined();
  expect(jpg.encoder?.encodeBands?.({ ...picture, width: 100 }, { quality: 0.8 })).toBeUndefined();
});

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, at) => byte === other[at]);
}
