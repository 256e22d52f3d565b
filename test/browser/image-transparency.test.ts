import { describe, expect, test } from "vitest";
import { decodeWebp } from "../../workers/image/formats/webp/wasm/webp-decoder.ts";
import decoderUrl from "../../workers/image/formats/webp/wasm/webp-decoder.wasm?url";
import { makeAlphaBmp, makeGif } from "../support/fixtures/image/gif-and-bmp.ts";
import { makeExif, webpWithExif } from "../support/fixtures/image/metadata.ts";
import { makePng } from "../support/fixtures/image/png.ts";
import { bytesOf, convert, drawing, pixel, shown } from "./pictures.ts";

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
  ] as const)("is flattened on the background %s in a JPG", async (background, clear, blended) => {
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

  const blue = [0, 0, 255];
  const unsaid = async (quality: number) =>
    webpWithExif(await drawing("image/webp", 32, 32, half, quality), makeExif(1), 32, 32);
  test.each([
    ["a WebP", () => unsaid(1), [24, 16]],
    ["a lossy WebP", () => unsaid(0.8), [24, 16]],
    [
      "a GIF",
      () => makeGif(4, 2, [blue, blue, blue, blue], () => 0, { width: 4, height: 2, left: 2, top: 0 }),
      [0, 0],
    ],
    ["a BMP", () => makeAlphaBmp(4, 4, (x) => [0, 0, 255, x < 2 ? 255 : 0]), [3, 3]],
  ] as const)("is detected in %s with an unusual declaration", async (_, make, [x, y]) => {
    const file = await make();
    const { width, height } = await shown(new Blob([file]));
    for (const to of ["png", "webp"]) {
      const made = await shown(await convert(file, to));
      expect([made.width, made.height]).toEqual([width, height]);
      expect(pixel(made, x, y)[3]).toBe(0);
    }
    const flat = await shown(await convert(file, "jpg", { background: "#fff", quality: 1 }));
    expect(Math.min(...pixel(flat, x, y))).toBeGreaterThan(200);
  });

  test("an invalid background color returns invalid_parameter", async () => {
    const png = await drawing("image/png", 8, 8, half);
    await expect(convert(png, "jpg", { background: "no color" })).rejects.toMatchObject({
      code: "invalid_parameter",
      details: { parameter: "background" },
    });
  });

  /** Every value under every alpha, colors under no alpha at all among them. */
  const values = (x: number, y: number) => [x, 255 - x, (x * 7) % 256, y];
  const allAlphas = () => makePng({ width: 256, height: 256, colorType: 6, bitDepth: 8, sample: values });

  test("is exact from PNG to WebP and back", async () => {
    const made = await convert(allAlphas(), "webp");
    expect(await exactPixels(made)).toEqual(expectedPixels());
    const back = await convert(made, "png");
    const { decodePng } = await import("../../workers/image/formats/png-values.ts");
    const { default: url } = await import("@jsquash/png/codec/pkg/squoosh_png_bg.wasm?url");
    const decoded = await decodePng(await compiled(url), await bytesOf(back));
    expect(decoded.data).toEqual(expectedPixels());
  });

  test("stays exact with a quality, which makes the file smaller", async () => {
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
    const decoded = decodeWebp(await compiled(decoderUrl), await bytesOf(file));
    if (decoded === null) throw new Error("libwebp cannot read it");
    return decoded.pixels;
  }

  function expectedPixels(): Uint8ClampedArray {
    const pixels = new Uint8ClampedArray(4 * 256 * 256);
    for (let y = 0; y < 256; y++) for (let x = 0; x < 256; x++) pixels.set(values(x, y), 4 * (256 * y + x));
    return pixels;
  }
});

async function compiled(url: string): Promise<WebAssembly.Module> {
  return WebAssembly.compile(await (await fetch(url)).arrayBuffer());
}
