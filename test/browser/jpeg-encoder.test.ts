import { describe, expect, test, vi } from "vitest";
import { encodeNatively } from "../../workers/image/formats/encode-natively.ts";
import { codec } from "../../workers/image/formats/jpg/codec.ts";
import { encodeJpeg } from "../../workers/image/formats/jpg/encode-jpeg.ts";
import { canvasOf, release } from "../../workers/image/picture/convert-layout.ts";
import type { Picture, PixelPicture } from "../../workers/image/picture/picture.ts";
import { chromaSize } from "../../workers/image/picture/planes.ts";
import type { Size } from "../../workers/image/picture/size.ts";
import { largestDifference, meanDifference, shown } from "./pictures.ts";

type BitmapPicture = Extract<Picture, { layout: "bitmap" }>;

const encoder = codec.encoder;

/** Soft colors, which no quality changes much, with an edge across. */
function picture(width: number, height: number): PixelPicture {
  const pixels = new Uint8ClampedArray(4 * width * height);
  for (let at = 0; at < width * height; at++) {
    const [x, y] = [at % width, Math.floor(at / width)];
    const wave = 60 * Math.sin((x + y) / 30);
    pixels.set(2 * y < height ? [128 + wave, 120, 128 - wave, 255] : [250, 240, 230, 255], 4 * at);
  }
  return { layout: "rgba", width, height, pixels, hasAlpha: false };
}

describe("encodeJpeg of pixels", () => {
  test.each([
    [1, 1],
    [17, 16],
    [250, 203],
    [1001, 701],
  ])("%d × %d: is as close to the source as the JPEG of the browser", async (width, height) => {
    const source = picture(width, height);
    const exact = new ImageData(source.pixels, width, height);
    for (const quality of [0.4, 0.75, 0.92, 0.99]) {
      const bytes = await encoder?.encode(source, quality);
      if (!(bytes instanceof Uint8Array)) throw new Error("the browser encoded it");
      const ours = await shown(new Blob([bytes]));
      const native = await encodeNatively(source, "image/jpeg", quality);
      if (native === undefined) throw new Error("the browser does not encode it");
      const theirs = await shown(native);
      expect([ours.width, ours.height]).toEqual([width, height]);
      expect(meanDifference(ours, exact)).toBeLessThan(1.1 * meanDifference(theirs, exact) + 0.5);
      expect(largestDifference(ours, theirs)).toBeLessThan(20);
      expect(bytes.length).toBeLessThan(1.03 * native.size + 50);
    }
  });

  test("returns nothing at the highest quality, at which browsers do not subsample", async () => {
    const source = picture(40, 40);
    const blob = await encoder?.encode(source, 1);
    if (!(blob instanceof Blob)) throw new Error("the browser did not encode it");
    const exact = new ImageData(new Uint8ClampedArray(source.pixels), 40, 40);
    expect(largestDifference(await shown(blob), exact)).toBeLessThanOrEqual(3);
  });

  test("returns nothing without WebAssembly SIMD", async () => {
    // Another one, that has not looked yet.
    const address = new URL("../../workers/image/formats/jpg/encode-jpeg.ts?another", import.meta.url).href;
    const another: typeof import("../../workers/image/formats/jpg/encode-jpeg.ts") = await import(
      /* @vite-ignore */ address
    );
    const spy = vi.spyOn(WebAssembly, "validate").mockReturnValue(false);
    try {
      expect(await another.encodeJpeg(picture(40, 40), 0.8)).toBeUndefined();
    } finally {
      spy.mockRestore();
    }
  });
});

describe("planes", () => {
  const [width, height] = [21, 13];
  const chroma = chromaSize({ width, height });
  const filled = (size: { width: number; height: number }, value: number) =>
    new Uint8Array(size.width * size.height).fill(value);
  const planes = {
    luma: filled({ width, height }, 76),
    cb: filled(chroma, 85),
    cr: filled(chroma, 255),
  };
  const red: Picture = { layout: "yuv420", width, height, planes, hasAlpha: false };

  test.each([0.5, 0.92, 1])("are encoded exactly at quality %d", async (quality) => {
    const encoded = await encoder?.encode(red, quality);
    const { data } = await shown(new Blob([encoded ?? ""]));
    expect(data.length).toBe(4 * width * height);
    const difference = data.reduce((most, value, at) => {
      return Math.max(most, Math.abs(value - ([254, 0, 0, 255][at % 4] ?? 0)));
    }, 0);
    expect(difference).toBeLessThan(4);
  });

  test("are requested if the encoder takes them", () => {
    const photo = { width: 4000, height: 3000 };
    const takesPlanes = (size: Size, quality?: number) =>
      encoder?.accepts({ ...size, hasAlpha: false }, quality).planes;
    expect(takesPlanes(photo)).toBe(true);
    expect(takesPlanes(photo, 0.5)).toBe(true);
    // The highest quality keeps full chroma, and a small picture is compared with the result.
    expect(takesPlanes(photo, 1)).toBe(false);
    expect(takesPlanes({ width: 40, height: 30 })).toBe(false);
  });
});

describe("encodeJpeg of bitmaps", () => {
  const bitmapOf = async ({ pixels, width, height }: PixelPicture): Promise<BitmapPicture> => {
    const bitmap = await createImageBitmap(new ImageData(pixels, width, height));
    return { layout: "bitmap", width, height, bitmap, hasAlpha: false, isAsStored: true };
  };

  // The last MCU row may be cut. The encoder counts all MCUs of the small pictures, and a sample of the large one.
  test.each([
    [1, 1],
    [33, 128],
    [250, 403],
    [1301, 1001],
  ])("%d × %d: gives the same file as for their pixels", async (width, height) => {
    const source = picture(width, height);
    const bytes = await encodeJpeg(await bitmapOf(source), 0.85);
    expect(bytes).toBeDefined();
    expect(bytes).toEqual(await encodeJpeg(source, 0.85));
  });

  test("encodes two at once without mixing them", async () => {
    const [one, other] = [picture(400, 700), picture(300, 900)];
    const made = await Promise.all(
      [one, other].map(async (source) => encodeJpeg(await bitmapOf(source), 0.85)),
    );
    expect(made[0]).toEqual(await encodeJpeg(one, 0.85));
    expect(made[1]).toEqual(await encodeJpeg(other, 0.85));
  });

  test("draws them once if they are rotated or converted", async () => {
    const source = picture(250, 403);
    const turned = { ...(await bitmapOf(source)), isAsStored: false };
    const expected = await encodeJpeg(source, 0.8);
    expect(await encodeJpeg(turned, 0.8)).toEqual(expected);
    turned.bitmap.close();
    expect(canvasOf(turned)).toBe(canvasOf(turned));
    release(turned);
  });

  test("returns nothing for transparent and for closed ones", async () => {
    const source = picture(40, 40);
    expect(await encodeJpeg({ ...(await bitmapOf(source)), hasAlpha: true }, 0.8)).toBeUndefined();
    const { bitmap, ...rest } = await bitmapOf(source);
    bitmap.close();
    expect(await encodeJpeg({ ...rest, bitmap }, 0.8)).toBeUndefined();
  });
});
