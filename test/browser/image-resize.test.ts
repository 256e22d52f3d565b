import JSZip from "jszip";
import { describe, expect, test } from "vitest";
import { encodeJpeg } from "../../workers/image/formats/jpg/encode-jpeg.ts";
import { makeBmp, makeGif } from "../support/fixtures/image/gif-and-bmp.ts";
import { jpegWith, makeExif } from "../support/fixtures/image/metadata.ts";
import { makePng } from "../support/fixtures/image/png.ts";
import { makePdf } from "../support/fixtures/pdf.ts";
import { bytesOf, convert, drawing, pixel, quarters, shown } from "./pictures.ts";

const sizeOf = ({ width, height }: ImageData) => [width, height];
const photo = () => drawing("image/jpeg", 900, 600, quarters);

describe("max_width and max_height", () => {
  test.each([
    ["jpg", { max_width: 300 }, [300, 200]],
    ["jpg", { max_width: 840 }, [840, 560]],
    ["jpg", { max_height: 100 }, [150, 100]],
    ["png", { max_width: 300, max_height: 100 }, [150, 100]],
    ["webp", { max_width: 90, max_height: 600 }, [90, 60]],
    ["avif", { max_width: 300 }, [300, 200]],
    ["jpg", { max_width: 900, max_height: 600 }, [900, 600]],
    ["png", { max_width: 1000 }, [900, 600]],
  ])("of a photo to %s: %j", async (to, bounds, size) => {
    const picture = await shown(await convert(await photo(), to, bounds));
    expect(sizeOf(picture)).toEqual(size);
    const [width = 0, height = 0] = size;
    for (const [index, color] of ["255,0,0", "0,255,0", "0,0,255", "255,255,255"].entries()) {
      const [x, y] = [index % 2 ? 0.75 : 0.25, index > 1 ? 0.75 : 0.25];
      const seen = pixel(picture, Math.floor(x * width), Math.floor(y * height));
      for (const [channel, value] of color.split(",").entries())
        expect(Math.abs((seen[channel] ?? 0) - Number(value))).toBeLessThan(12);
    }
  });

  test("count after the orientation", async () => {
    const turned = jpegWith(await photo(), { exif: makeExif(6) });
    expect(sizeOf(await shown(await convert(turned, "jpg", { max_width: 300 })))).toEqual([300, 450]);
  });

  test("count after an orientation that follows the pixels of a PNG", async () => {
    const png = makePng({
      ...{ width: 40, height: 20, colorType: 2, bitDepth: 8, sample: () => [0, 0, 0] },
      lateChunks: [["eXIf", makeExif(6)]],
    });
    expect(sizeOf(await shown(await convert(png, "png", { max_width: 10 })))).toEqual([10, 20]);
  });

  test("scale the pictures of every format", async () => {
    const size = { width: 200, height: 100 };
    const palette = [[255, 0, 0] as const, [0, 0, 255] as const];
    const inputs = [
      makeGif(size.width, size.height, [...palette, ...palette], (x) => Number(x >= 100)),
      makeBmp(size.width, size.height, (x) => palette[Number(x >= 100)] ?? []),
      makePng({
        ...size,
        colorType: 2,
        bitDepth: 16,
        sample: (x) => (x < 100 ? [65535, 0, 0] : [0, 0, 65535]),
      }),
      await drawing("image/webp", 200, 100, (context) => {
        context.fillStyle = "red";
        context.fillRect(0, 0, 100, 100);
        context.fillStyle = "blue";
        context.fillRect(100, 0, 100, 100);
      }),
    ];
    for (const input of inputs) {
      const picture = await shown(await convert(input, "png", { max_width: 50 }));
      expect(sizeOf(picture)).toEqual([50, 25]);
      expect(pixel(picture, 5, 12)).toEqual([255, 0, 0, 255]);
      expect(pixel(picture, 44, 12)).toEqual([0, 0, 255, 255]);
    }
  });

  test("leave the coded data of a picture that fits", async () => {
    const jpeg = await photo();
    const bounded = await convert(jpeg, "jpg", { max_width: 900 });
    expect(await bytesOf(bounded)).toEqual(await bytesOf(await convert(jpeg, "jpg")));
  });

  test("keep colors beside transparency", async () => {
    // A white disk on transparent black. Without premultiplication, its edge would become gray.
    const sample = (x: number, y: number) =>
      Math.hypot(x - 64, y - 64) < 50 ? [255, 255, 255, 255] : [0, 0, 0, 0];
    const png = makePng({ width: 128, height: 128, colorType: 6, bitDepth: 8, sample });
    const picture = await shown(await convert(png, "png", { max_width: 40 }));
    expect(pixel(picture, 0, 0)[3]).toBe(0);
    expect(pixel(picture, 20, 20)).toEqual([255, 255, 255, 255]);
    for (let at = 0; at < picture.data.length; at += 4)
      if ((picture.data[at + 3] ?? 0) > 40) expect(picture.data[at]).toBeGreaterThan(245);
    const flat = await shown(await convert(png, "jpg", { max_width: 40, background: "lime", quality: 0.9 }));
    expect(pixel(flat, 1, 1)[1]).toBeGreaterThan(240);
  });

  describe("of a picture with sides longer than a canvas", () => {
    const RED = [255, 0, 0, 255];
    const TEAL = [0, 128, 128, 255];
    /** Red at the beginning, teal at the end. */
    const sampleOf = (side: number, channels: number) => (x: number, y: number) =>
      (Math.max(x, y) < side / 2 ? RED : TEAL).slice(0, channels);
    const png = (width: number, height: number, colorType: 2 | 6 = 2) => {
      const sample = sampleOf(Math.max(width, height), colorType === 6 ? 4 : 3);
      return makePng({ width, height, colorType, bitDepth: 8, sample });
    };
    const jpg = async (width: number, height: number) => {
      const sample = sampleOf(width, 4);
      const row = Array.from({ length: width }, (_, x) => sample(x, 0)).flat();
      const pixels = Uint8ClampedArray.from(
        { length: 4 * width * height },
        (_, at) => row[at % (4 * width)] ?? 0,
      );
      const file = await encodeJpeg({ layout: "rgba", width, height, pixels, hasAlpha: false }, 0.9);
      return new Blob(file ? [file] : []);
    };
    const gif = (width: number, height: number) =>
      makeGif(
        width,
        height,
        [RED, TEAL, RED, TEAL].map((color) => color.slice(0, 3)),
        (x) => Number(x >= width / 2),
      );
    test.each<[string, number, number, () => Promise<Blob> | Uint8Array<ArrayBuffer>]>([
      ["PNG of 40,000 × 20", 2000, 1, () => png(40_000, 20)],
      ["PNG of 60,000 × 10", 2000, 1, () => png(60_000, 10)],
      ["PNG of 20 × 40,000", 1, 2000, () => png(20, 40_000)],
      ["PNG with alpha of 40,000 × 20", 2000, 1, () => png(40_000, 20, 6)],
      ["JPG of 60,000 × 10", 2000, 1, () => jpg(60_000, 10)],
      ["GIF of 40,000 × 20", 2000, 1, () => gif(40_000, 20)],
      ["BMP of 40,000 × 20", 2000, 1, () => makeBmp(40_000, 20, sampleOf(40_000, 3))],
    ])("%s", async (_, width, height, file) => {
      for (const to of ["png", "jpg", "webp"]) {
        const picture = await shown(await convert(await file(), to, { max_width: 2000, max_height: 2000 }));
        expect(sizeOf(picture), to).toEqual([width, height]);
        const [last, ends] = [width * height - 1, [RED, TEAL]];
        for (const [index, at] of [0, last].entries()) {
          const difference = ends[index]?.map((value, channel) =>
            Math.abs(value - (picture.data[4 * at + channel] ?? 0)),
          );
          expect(Math.max(...(difference ?? [])), to).toBeLessThan(to === "png" ? 4 : 12);
        }
      }
    });
  });

  test("work together with max_bytes", async () => {
    const noise = makePng({
      ...{ width: 400, height: 400, colorType: 2, bitDepth: 8 },
      sample: (x, y) => [0, 1, 2].map((channel) => (x * 7919 + y * 104_729 * (channel + 1)) % 256),
    });
    const made = await convert(noise, "jpg", { max_width: 200, max_bytes: 9000 });
    expect(made.size).toBeLessThanOrEqual(9000);
    expect(sizeOf(await shown(made))).toEqual([200, 200]);
  });

  test("of the pages of a PDF lower the resolution", async () => {
    const pdf = makePdf({ pages: 2 });
    const page = await convert(pdf, "png", { pages: "1", max_width: 200 });
    const natural = await shown(await convert(pdf, "png", { pages: "1" }));
    const height = Math.round((natural.height * 200) / natural.width);
    expect(sizeOf(await shown(page))).toEqual([200, height]);
    const archive = await JSZip.loadAsync(await bytesOf(await convert(pdf, "jpg", { max_height: 100 })));
    for (const entry of Object.values(archive.files))
      expect((await shown(await entry.async("blob"))).height).toBe(100);
    const small = await convert(pdf, "png", { pages: "1", dpi: 20, max_width: 2000 });
    expect((await shown(small)).width).toBeLessThan(200);
  });
});
