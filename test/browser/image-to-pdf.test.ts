import { PDFArray, PDFDict, PDFDocument, PDFName, PDFRawStream } from "@cantoo/pdf-lib";
import { describe, expect, test } from "vitest";
import { codec as png } from "../../workers/image/formats/png/codec.ts";
import { COLOR_TYPE, readPng } from "../../workers/image/formats/png/read-png.ts";
import { bitmapPicture } from "../../workers/image/picture/convert-layout.ts";
import { opaqueBitmap } from "../../workers/image/to-pdf/opaque-bitmap.ts";
import { concatBytes } from "../../workers/io/concat-bytes.ts";
import { bufferSource } from "../../workers/io/source.ts";
import { predictedChunks } from "../../workers/pdf/file/predictors.ts";
import { makeBmp, makeGif } from "../support/fixtures/image/gif-and-bmp.ts";
import { makePng } from "../support/fixtures/image/png.ts";
import { bytesOf, convert, drawing, shown } from "./pictures.ts";

const RED = [255, 0, 0] as const;
const TEAL = [0, 128, 128] as const;

/** The image on the one page of a PDF, as an independent library reads it. */
async function imageIn(pdf: Blob): Promise<PDFRawStream> {
  const document = await PDFDocument.load(await bytesOf(pdf));
  expect(document.getPageCount()).toBe(1);
  const objects = document.getPage(0).node.Resources()?.lookup(PDFName.of("XObject"), PDFDict);
  const image = objects?.lookup(PDFName.of("Image"));
  if (image instanceof PDFRawStream) return image;
  throw new Error("there is no image");
}

function entry(image: PDFRawStream, key: string): string {
  return String(image.dict.lookup(PDFName.of(key)));
}

/** An image's samples, inflated by the browser. */
async function samplesOf(image: PDFRawStream, colors: number): Promise<Uint8Array> {
  const packed = new Blob([new Uint8Array(image.contents)]).stream();
  const filtered = await new Response(packed.pipeThrough(new DecompressionStream("deflate"))).arrayBuffer();
  const columns = Number(entry(image, "Width"));
  const parameters = { predictor: 15, colors, bitsPerComponent: 8, columns };
  return concatBytes([...predictedChunks([new Uint8Array(filtered)], parameters)]);
}

describe("images that are decoded for a PDF", () => {
  const side = 24;
  const color = (x: number, y: number) => ((x >> 2) + (y >> 3)) % 2;
  const expected = Uint8Array.from({ length: 3 * side * side }, (_, at) => {
    const pixel = Math.floor(at / 3);
    return [RED, TEAL][color(pixel % side, Math.floor(pixel / side))]?.[at % 3] ?? 0;
  });

  test("a GIF is drawn exactly", async () => {
    const image = await imageIn(await convert(makeGif(side, side, [RED, TEAL, RED, TEAL], color), "pdf"));
    expect(entry(image, "ColorSpace")).toBe("/DeviceRGB");
    expect(await samplesOf(image, 3)).toEqual(expected);
  });

  test("a BMP is drawn exactly", async () => {
    const image = await imageIn(
      await convert(
        makeBmp(side, side, (x, y) => [RED, TEAL][color(x, y)] ?? []),
        "pdf",
      ),
    );
    expect(await samplesOf(image, 3)).toEqual(expected);
    expect(image.dict.has(PDFName.of("SMask"))).toBe(false);
  });

  test.each([8, 16] as const)("an interlaced PNG of %i bits is drawn exactly", async (bitDepth) => {
    const png = makePng({
      ...{ width: side, height: side, colorType: 2, bitDepth, interlaced: true },
      sample: (x, y) =>
        ([RED, TEAL][color(x, y)] ?? []).map((value) => (bitDepth === 16 ? 257 * value : value)),
    });
    expect(await samplesOf(await imageIn(await convert(png, "pdf")), 3)).toEqual(expected);
  });

  test("a PNG of 16 bits hides its transparent color, and not one with equal upper bits", async () => {
    const [hidden, other] = [0x80_10, 0x80_11];
    const png = makePng({
      ...{ width: side, height: side, colorType: 0, bitDepth: 16 },
      sample: (x) => [x < side / 2 ? hidden : other],
      chunks: [["tRNS", Uint8Array.of(hidden >> 8, hidden & 255)]],
    });
    const image = await imageIn(await convert(png, "pdf"));
    expect(image.dict.has(PDFName.of("Mask"))).toBe(false);
    const mask = image.dict.lookup(PDFName.of("SMask"));
    if (!(mask instanceof PDFRawStream)) throw new Error("there is no mask");
    const alphas = await samplesOf(mask, 1);
    expect([alphas[0], alphas[side - 1]]).toEqual([0, 255]);
  });

  test("a BMP has the size of its pixels per meter", async () => {
    const bmp = makeBmp(side, side, () => RED, [11_811, 11_811]);
    const document = await PDFDocument.load(await bytesOf(await convert(bmp, "pdf")));
    expect(document.getPage(0).getWidth()).toBeCloseTo((side * 72) / 300, 3);
  });

  test("a decoded PNG and a decoded JPEG are drawn exactly", async () => {
    const widthOf = async (file: Uint8Array<ArrayBuffer>) => {
      const document = await PDFDocument.load(await bytesOf(await convert(file, "pdf")));
      return document.getPage(0).getWidth();
    };
    const chunks = [
      ["cICP", Uint8Array.of(9, 14, 0, 1)],
      ["pHYs", Uint8Array.of(0, 0, 0x2e, 0x23, 0, 0, 0x2e, 0x23, 1)],
    ] as const;
    const sample = () => [200, 100, 100];
    const png = makePng({ width: 50, height: 50, colorType: 2, bitDepth: 8, sample, chunks });
    expect(await widthOf(png)).toBeCloseTo((50 * 72) / 300, 2);
    const photo = await drawing("image/jpeg", 50, 50, (context) => context.fillRect(0, 0, 50, 20));
    // JFIF's density: its unit, inches, then how many dots.
    photo.set([1, 300 >> 8, 300 & 255, 300 >> 8, 300 & 255], 13);
    const withoutEnd = photo.subarray(0, -2);
    expect(await widthOf(withoutEnd)).toBeCloseTo((50 * 72) / 300, 2);
  });

  test("a transparent WebP has an exact soft mask", async () => {
    const sample = (x: number, y: number) => [0, 50, 100, 150].map((more) => (x * 9 + y * 5 + more) % 256);
    const png = makePng({ width: side, height: side, colorType: 6, bitDepth: 8, sample });
    const image = await imageIn(await convert(await convert(png, "webp", { quality: 1 }), "pdf"));
    const mask = image.dict.lookup(PDFName.of("SMask"));
    if (!(mask instanceof PDFRawStream)) throw new Error("there is no mask");
    const alpha = await samplesOf(mask, 1);
    const colors = await samplesOf(image, 3);
    const own = await imageIn(await convert(png, "pdf"));
    const ownMask = own.dict.lookup(PDFName.of("SMask"));
    if (!(ownMask instanceof PDFRawStream)) throw new Error("there is no mask");
    expect(alpha).toEqual(await samplesOf(ownMask, 1));
    expect(colors).toHaveLength(3 * side * side);
  });

  test("opaque values become a PNG without an alpha channel", async () => {
    // The width is odd, so the rows of the BMP that the browser decodes end in padding.
    const [width, height] = [33, 7];
    const pixels = Uint8ClampedArray.from({ length: 4 * width * height }, (_, at) =>
      at % 4 === 3 ? 255 : (7 * at) % 256,
    );
    const bitmap = await opaqueBitmap({ layout: "rgba", pixels, width, height, hasAlpha: false });
    const made = await png.encoder?.encode(bitmapPicture(bitmap, false, true));
    if (!(made instanceof Blob)) throw new Error("the codec gives a Blob");
    expect(readPng(bufferSource(await bytesOf(made)))).toMatchObject({ colorType: COLOR_TYPE.rgb });
    expect((await shown(made)).data).toEqual(pixels);
  });

  test.each(["webp", "avif"])("%s becomes a JPEG with a given quality", async (format) => {
    const photo = await drawing("image/png", 64, 48, (context) => {
      context.fillStyle = "rgb(200 100 50)";
      context.fillRect(0, 0, 64, 48);
    });
    const file = await convert(photo, format);
    expect(entry(await imageIn(await convert(file, "pdf")), "Filter")).toBe("/FlateDecode");
    const lossy = await imageIn(await convert(file, "pdf", { quality: 0.8 }));
    expect(entry(lossy, "Filter")).toBe("/DCTDecode");
    expect([entry(lossy, "Width"), entry(lossy, "Height")]).toEqual(["64", "48"]);
  });

  test("a PNG in Display P3 by code points gets a profile", async () => {
    const chunks = [["cICP", Uint8Array.of(12, 13, 0, 1)]] as const;
    const sample = () => [200, 100, 100];
    const png = makePng({ width: 8, height: 8, colorType: 2, bitDepth: 8, sample, chunks });
    const image = await imageIn(await convert(png, "pdf"));
    expect(entry(image, "ColorSpace")).toMatch(/ICCBased/);
    expect([...(await samplesOf(image, 3)).subarray(0, 3)]).toEqual(sample());
  });

  test("a PNG in HDR colors is converted by the browser", async () => {
    // BT.2020 with its own curve.
    const chunks = [["cICP", Uint8Array.of(9, 14, 0, 1)]] as const;
    const sample = () => [200, 100, 100];
    const png = makePng({ width: 8, height: 8, colorType: 2, bitDepth: 8, sample, chunks });
    const image = await imageIn(await convert(png, "pdf"));
    expect(entry(image, "ColorSpace")).toBe("/DeviceRGB");
    const samples = await samplesOf(image, 3);
    expect(samples).toHaveLength(3 * 8 * 8);
    // The red of BT.2020 is stronger than that of sRGB.
    expect(samples[0]).toBeGreaterThan(205);
  });
});

describe("images and pages", () => {
  test("a truncated JPEG returns damaged_file", async () => {
    const whole = await drawing("image/jpeg", 200, 200, (context) => {
      context.fillStyle = "teal";
      context.fillRect(20, 20, 100, 50);
    });
    await expect(convert(whole.slice(0, whole.length / 2), "pdf")).rejects.toMatchObject({
      code: "damaged_file",
    });
  });

  test("the page has the requested size", async () => {
    const photo = await drawing("image/jpeg", 400, 200, () => undefined);
    const sizeOf = async (params: { page_size?: "fit" | "a4" | "letter" }) => {
      const document = await PDFDocument.load(await bytesOf(await convert(photo, "pdf", params)));
      const box = document.getPage(0).node.lookup(PDFName.of("MediaBox"), PDFArray);
      return [box.get(2), box.get(3)].map(String);
    };
    expect(await sizeOf({ page_size: "letter" })).toEqual(["792", "612"]);
    expect(await sizeOf({ page_size: "a4" })).toEqual(["841.89", "595.276"]);
  });
});
