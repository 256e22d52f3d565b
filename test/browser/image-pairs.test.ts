import { describe, expect, test } from "vitest";
import { makeBmp, makeGif } from "../support/fixtures/image/gif-and-bmp.ts";
import { jpegWith, makeExif, webpWithExif } from "../support/fixtures/image/metadata.ts";
import { makePng } from "../support/fixtures/image/png.ts";
import { makeTiff, TIFF_TAG, type TiffPage } from "../support/fixtures/image/tiff.ts";
import { blobOf, bytesOf, convert, drawing, pixel, QUARTERS, quarters, shared, shown } from "./pictures.ts";

/** An uncompressed image. */
function quartersTiff(width: number, height: number): TiffPage {
  const data = Uint8Array.from({ length: 3 * width * height }, (_, at) => {
    const [x, y] = [Math.floor(at / 3) % width, Math.floor(at / 3 / width)];
    return QUARTERS[(x < width / 2 ? 0 : 1) + (y < height / 2 ? 0 : 2)]?.[at % 3] ?? 0;
  });
  return { width, height, samples: 3, data: [data], fields: { [TIFF_TAG.PhotometricInterpretation]: [2] } };
}

const TYPES = { jpg: "image/jpeg", png: "image/png", webp: "image/webp", avif: "image/avif" };

describe("every pair of formats", () => {
  const makers: Record<string, () => Promise<Uint8Array<ArrayBuffer>>> = {
    jpg: () => drawing("image/jpeg", 64, 32, quarters),
    png: () => drawing("image/png", 64, 32, quarters),
    webp: () => drawing("image/webp", 64, 32, quarters),
    avif: async () => bytesOf(await convert(await drawing("image/png", 64, 32, quarters), "avif")),
    gif: async () => makeGif(64, 32, QUARTERS, (x, y) => (x < 32 ? 0 : 1) + (y < 16 ? 0 : 2)),
    tiff: async () => makeTiff([quartersTiff(64, 32)]),
    bmp: async () => makeBmp(64, 32, (x, y) => QUARTERS[(x < 32 ? 0 : 1) + (y < 16 ? 0 : 2)] ?? []),
  };

  for (const from of Object.keys(makers)) {
    test.each(Object.entries(TYPES))(`${from} to %s`, async (to, type) => {
      const file = new File([(await makers[from]?.()) ?? new Uint8Array()], `C:\\photos\\a.b.${from}`);
      const result = await shared.convert({ file, output_format: to });
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
      for (const [x, y, ...color] of middles) {
        const found = pixel(picture, x, y);
        for (const [index, value] of color.entries())
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
    "png that says so behind its pixels": async (orientation) =>
      makePng({
        ...{ width: 64, height: 32, colorType: 2, bitDepth: 8 },
        sample: (x, y) => QUARTERS[(x < 32 ? 0 : 1) + (y < 16 ? 0 : 2)] ?? [],
        lateChunks: [["eXIf", makeExif(orientation)]],
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
