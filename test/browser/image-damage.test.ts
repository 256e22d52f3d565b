import pngUrl from "@jsquash/png/codec/pkg/squoosh_png_bg.wasm?url";
import { unzlibSync, zlibSync } from "fflate";
import { describe, expect, test } from "vitest";
import { readJpeg } from "../../workers/image/formats/jpg/read-jpeg.ts";
import { decodePng } from "../../workers/image/formats/png-values.ts";
import { bufferSource } from "../../workers/io/source.ts";
import { concatBytes } from "../support/fixtures/image/bytes.ts";
import { displayP3, p3ToSrgb } from "../support/fixtures/image/icc.ts";
import { jpegWith, makeExif } from "../support/fixtures/image/metadata.ts";
import { makePng, pngChunk, pngChunks } from "../support/fixtures/image/png.ts";
import { bytesOf, convert, drawing, largestDifference, pixel, quarters, shown } from "./pictures.ts";

describe("damage", () => {
  test.each(["image/jpeg", "image/png", "image/webp"])(
    "a truncated %s returns damaged_file",
    async (type) => {
      const whole = await drawing(type, 200, 200, quarters);
      for (const share of [0.02, 0.3, 0.6, 0.95]) {
        const cut = whole.slice(0, Math.max(16, Math.floor(whole.length * share)));
        await expect(convert(cut, "png")).rejects.toMatchObject({ code: "damaged_file" });
      }
    },
  );

  test("a PNG without its end chunk returns damaged_file", async () => {
    const whole = await drawing("image/png", 20, 20, quarters);
    await expect(convert(whole.slice(0, -12), "png")).rejects.toMatchObject({ code: "damaged_file" });
  });

  test.each([1, 6])(
    "a JPEG with a foreign marker in its scan is decoded up to the marker, orientation %i",
    async (orientation) => {
      const whole = await drawing("image/jpeg", 64, 64, quarters);
      const { scans } = readJpeg(bufferSource(whole));
      // Behind what codes the upper half, red and green.
      const damaged = withForeignMarker(whole, scans + Math.floor((whole.length - scans) * 0.75));
      await expect(createImageBitmap(new Blob([damaged], { type: "image/jpeg" }))).rejects.toMatchObject({
        name: "InvalidStateError",
      });
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

  test("a JPEG without an end marker is decoded", async () => {
    const whole = await drawing("image/jpeg", 64, 64, quarters);
    const made = await shown(await convert(whole.slice(0, -2), "png"));
    expect(largestDifference(made, await shown(new Blob([whole])))).toBe(0);
    expect((await convert(whole.slice(0, -2), "pdf")).type).toBe("application/pdf");
    await expect(convert(whole.slice(0, -12), "png")).rejects.toMatchObject({ code: "damaged_file" });
  });

  test("a damaged JPEG is converted by its profile", async () => {
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

  test("invalid data after the scan of a JPEG is ignored", async () => {
    const whole = await drawing("image/jpeg", 64, 64, quarters);
    const end = whole.length - 2;
    // A table that makes no sense, and the end.
    const damaged = concatBytes([
      whole.subarray(0, end),
      Uint8Array.of(0xff, 0xc4, 0, 4, 0xee, 0xee, 0xff, 0xd9),
    ]);
    await expect(createImageBitmap(new Blob([damaged], { type: "image/jpeg" }))).rejects.toMatchObject({
      name: "InvalidStateError",
    });
    const picture = await shown(await convert(damaged, "png"));
    expect(pixel(picture, 48, 48).every((value) => value > 240)).toBe(true);
  });

  test.each([
    ["opaque", 2, false],
    ["opaque, interlaced", 2, true],
    ["transparent", 6, false],
  ] as const)("refuses a PNG with an invalid filter type, %s", async (_, colorType, interlaced) => {
    const damaged = withUnknownFilter(
      makePng({
        ...({ width: 24, height: 20, bitDepth: 8 } as const),
        ...{ colorType, interlaced },
        sample: (x: number, y: number) => [10 * x, 12 * y, 99, ...(colorType === 6 ? [8 * x + 60] : [])],
      }),
    );
    for (const to of ["png", "pdf"])
      await expect(convert(damaged, to)).rejects.toMatchObject({ code: "damaged_file" });
  });

  test.each([
    ["of colors", { colorType: 2 }],
    ["with transparency", { colorType: 6 }],
  ] as const)("refuses a PNG %s whose compressed data is damaged in the middle", async (_, kind) => {
    const whole = makePng({
      ...({ width: 64, height: 64, bitDepth: 8, chunkBytes: 1e6 } as const),
      ...kind,
      sample: (x: number, y: number) => [(x * y * 7) % 256, (x * x + y) % 256, (x + y * y) % 256, 255 - y],
    });
    const packed = pngChunks(whole).get("IDAT") ?? new Uint8Array();
    const start = new TextDecoder("latin1").decode(whole).indexOf("IDAT") - 4;
    const half = concatBytes([packed.subarray(0, packed.length >> 1), Uint8Array.of(0xff)]);
    const damaged = concatBytes([
      whole.subarray(0, start),
      pngChunk("IDAT", half),
      pngChunk("IEND", new Uint8Array()),
    ]);
    for (const to of ["png", "jpg", "pdf"])
      await expect(convert(damaged, to)).rejects.toMatchObject({ code: "damaged_file" });
  });

  test("a damaged PNG does not affect the next conversions", async () => {
    const sample = (x: number, y: number) => [16 * x, 16 * y, 77, 3];
    const plan = { ...({ width: 16, height: 16, colorType: 6, bitDepth: 8 } as const), sample };
    const lying = makePng({ ...plan, claims: { width: 16, height: 32 } });
    const webp = await convert(makePng(plan), "webp");
    for (let count = 0; count < 400; count++)
      await expect(convert(lying, "png")).rejects.toMatchObject({ code: "damaged_file" });
    const module = await WebAssembly.compile(await (await fetch(pngUrl)).arrayBuffer());
    const { data } = await decodePng(module, await bytesOf(await convert(webp, "png")));
    for (let at = 0; at < data.length; at += 4)
      expect([...data.subarray(at, at + 4)]).toEqual(sample((at >> 2) % 16, at >> 6));
  });

  test("a PNG with too few rows returns damaged_file", async () => {
    const lying = makePng({
      ...{ width: 20, height: 20, colorType: 2, bitDepth: 8, claims: { width: 20, height: 21 } },
      sample: (x, y) => [x, y, 0],
    });
    await expect(convert(lying, "png")).rejects.toMatchObject({ code: "damaged_file" });
  });
});

/** A marker that no JPEG has, at a place of the coded data. */
function withForeignMarker(jpeg: Uint8Array, at: number): Uint8Array<ArrayBuffer> {
  // Not between 0xff and its zero.
  const place = jpeg[at - 1] === 0xff ? at + 1 : at;
  return concatBytes([jpeg.subarray(0, place), Uint8Array.of(0xff, 0xf7, 0, 2), jpeg.subarray(place)]);
}

/** Gives the first row a filter type that does not exist, and the pixels wrong checksums. */
function withUnknownFilter(png: Uint8Array): Uint8Array<ArrayBuffer> {
  const rows = unzlibSync(pngChunks(png).get("IDAT") ?? new Uint8Array());
  rows[0] = 99;
  const packed = zlibSync(rows);
  packed[packed.length - 1] = (packed.at(-1) ?? 0) ^ 1;
  const at = new TextDecoder("latin1").decode(png).indexOf("IDAT");
  const length = new Uint8Array(4);
  new DataView(length.buffer).setUint32(0, packed.length);
  return concatBytes([
    png.subarray(0, at - 4),
    length,
    png.subarray(at, at + 4),
    packed,
    new Uint8Array(4),
    png.subarray(-12),
  ]);
}
