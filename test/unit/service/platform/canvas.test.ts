import { describe, expect, test } from "vitest";
import { createBitmap, NodeImageData, NodeOffscreenCanvas } from "../../../../service/platform/canvas.ts";
import { StoredBlob } from "../../../../service/platform/stored-blob.ts";
import { makePng } from "../../../support/fixtures/image/png.ts";

/** Where the objects of the library stand in for those of the platform. */
const canvasOf = (width: number, height: number) =>
  new NodeOffscreenCanvas(width, height) as unknown as OffscreenCanvas;
const isLeft = (x: number) => (x === 0 ? [255, 0, 0] : [0, 0, 255]);
const TWO_PIXELS = makePng({ width: 2, height: 1, colorType: 2, bitDepth: 8, sample: isLeft });

/** Returns the values of a bitmap. */
function valuesOf(bitmap: Awaited<ReturnType<typeof createBitmap>>): number[] {
  const context = canvasOf(bitmap.width, bitmap.height).getContext("2d");
  context?.drawImage(bitmap as unknown as ImageBitmap, 0, 0);
  return [...(context?.getImageData(0, 0, bitmap.width, bitmap.height).data ?? [])];
}

describe("a bitmap", () => {
  test("is made of an image file", async () => {
    expect(valuesOf(await createBitmap(new StoredBlob([TWO_PIXELS])))).toEqual([
      ...[255, 0, 0, 255],
      ...[0, 0, 255, 255],
    ]);
  });

  test("is made of values", async () => {
    const values = new NodeImageData(Uint8ClampedArray.of(1, 2, 3, 255), 1, 1) as unknown as ImageData;
    expect(valuesOf(await createBitmap(values))).toEqual([1, 2, 3, 255]);
  });

  test("is made of a part of another", async () => {
    const whole = await createBitmap(new StoredBlob([TWO_PIXELS]));
    expect(valuesOf(await createBitmap(whole, 1, 0, 1, 1))).toEqual([0, 0, 255, 255]);
  });

  test("has no size when it is closed", async () => {
    const bitmap = await createBitmap(new StoredBlob([TWO_PIXELS]));
    bitmap.close();
    expect([bitmap.width, bitmap.height]).toEqual([0, 0]);
  });

  test.each([
    ["no image", "text"],
    ["an SVG", '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>'],
    ["a damaged PNG", "\x89PNG\r\n\x1a\n"],
  ])("is not made of %s", async (_, text) => {
    const file = new StoredBlob([Buffer.from(text, "latin1")]);
    await expect(createBitmap(file)).rejects.toMatchObject({ name: "InvalidStateError" });
  });
});

test("a canvas moves its content into a bitmap", () => {
  const canvas = canvasOf(1, 1);
  const context = canvas.getContext("2d");
  context?.fillRect(0, 0, 1, 1);
  const bitmap = canvas.transferToImageBitmap();
  expect(valuesOf(bitmap as never)).toEqual([0, 0, 0, 255]);
  expect(context?.getImageData(0, 0, 1, 1).data[3]).toBe(0);
});
