import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { ConvertImageOptions } from "../../src/shared/protocol.ts";
import { canvasReadback } from "../../workers/image/browser/canvas-readback.ts";
import { convertImage } from "../../workers/image/convert.ts";
import { makeGif } from "../support/fixtures/image/gif-and-bmp.ts";
import { makePng } from "../support/fixtures/image/png.ts";
import { drawing, pixel, quarters, shown } from "./pictures.ts";

/** Brave changes pixels so that a canvas cannot identify a user. */
describe("a browser that changes the lowest bits of canvas pixels", () => {
  const { getImageData } = OffscreenCanvasRenderingContext2D.prototype;
  const { convertToBlob } = OffscreenCanvas.prototype;
  let lossless: Uint8Array<ArrayBuffer>;
  beforeAll(async () => {
    lossless = await drawing("image/webp", 32, 32, quarters);
    vi.spyOn(OffscreenCanvasRenderingContext2D.prototype, "getImageData").mockImplementation(function (
      this: OffscreenCanvasRenderingContext2D,
      ...place
    ) {
      return altered(getImageData.apply(this, place));
    });
    vi.spyOn(OffscreenCanvas.prototype, "convertToBlob").mockImplementation(function (
      this: OffscreenCanvas,
      options,
    ) {
      const { width, height } = this;
      const canvas = new OffscreenCanvas(width, height);
      const context = canvas.getContext("2d");
      context?.drawImage(this, 0, 0);
      if (context) context.putImageData(altered(getImageData.call(context, 0, 0, width, height)), 0, 0);
      return convertToBlob.call(canvas, options);
    });
  });
  afterAll(() => {
    vi.restoreAllMocks();
  });

  function altered(image: ImageData): ImageData {
    for (let at = 0; at < image.data.length; at += 4 * 7) image.data[at] = (image.data[at] ?? 0) ^ 1;
    return image;
  }

  async function converted(
    bytes: Uint8Array<ArrayBuffer>,
    options: Pick<ConvertImageOptions, "from" | "to" | "quality">,
  ): Promise<ImageData> {
    const made = await convertImage(
      { file: new Blob([bytes]), report: () => {}, helpers: 0 },
      { ...options, name: "picture" },
    );
    if (!(made instanceof Blob)) throw new Error("several pictures");
    return shown(made);
  }

  const sample = (x: number, y: number) => [4 * x, 5 * y, 128];
  const png = () => makePng({ ...{ width: 48, height: 40, colorType: 2, bitDepth: 8 }, sample });

  test("is detected", async () => {
    expect(await canvasReadback("exactly")).toBe(false);
    expect(await canvasReadback("closely")).toBe(true);
  });

  test.each([
    ["png", undefined],
    ["webp", 1],
  ] as const)("does not affect a PNG converted to a lossless %s", async (to, quality) => {
    const made = await converted(png(), { from: "png", to, ...(quality && { quality }) });
    for (let y = 0; y < 40; y++) {
      for (let x = 0; x < 48; x++) expect(pixel(made, x, y)).toEqual([...sample(x, y), 255]);
    }
  });

  test("does not affect a lossless WebP converted to PNG", async () => {
    const made = await converted(lossless, { from: "webp", to: "png" });
    expect(pixel(made, 0, 0)).toEqual([255, 0, 0, 255]);
    expect(pixel(made, 28, 0)).toEqual([0, 255, 0, 255]);
  });

  test("still decodes formats that only the browser decodes", async () => {
    const palette = [
      [10, 20, 250],
      [10, 20, 250],
      [10, 20, 250],
      [10, 20, 250],
    ];
    const made = await converted(
      makeGif(4, 2, palette, () => 0),
      { from: "gif", to: "png" },
    );
    const [red = 0, green, blue] = pixel(made, 0, 0);
    expect(Math.abs(red - 10)).toBeLessThanOrEqual(1);
    expect([green, blue]).toEqual([20, 250]);
  });
});
