import { describe, expect, test } from "vitest";
import {
  chromaSize,
  newPlanes,
  type Planes,
  pixelsOfPlanes,
} from "../../../../../workers/image/picture/planes.ts";

/** Returns planes with the same luma, and chroma by the place of a sample. */
function planesOf(
  size: { readonly width: number; readonly height: number },
  chroma: typeof size,
  cb: (x: number, y: number) => number,
): Planes {
  const planes = newPlanes(size, chroma);
  planes.luma.fill(100);
  planes.cr.fill(128);
  planes.cb.forEach((_, at) => {
    planes.cb[at] = cb(at % chroma.width, Math.floor(at / chroma.width));
  });
  return planes;
}

/** Returns the blue values of pixels, less the luma, in units of Cb. */
function blueOf(pixels: Uint8ClampedArray): readonly number[] {
  return [...pixels].filter((_, at) => at % 4 === 2).map((blue) => Math.round((blue - 100) / 1.773));
}

describe("pixelsOfPlanes", () => {
  test("interpolates chroma between the centers of its samples, across and down", () => {
    const size = { width: 4, height: 4 };
    const planes = planesOf(size, chromaSize(size), (x, y) => 128 + 32 * x + 16 * y);
    expect(blueOf(pixelsOfPlanes(planes, size))).toEqual(
      [0, 4, 12, 16].flatMap((row) => [0, 8, 24, 32].map((column) => row + column)),
    );
  });

  test("interpolates only where chroma has fewer samples than luma", () => {
    const size = { width: 4, height: 2 };
    const halved = { width: 2, height: 2 };
    const across = planesOf(size, halved, (x, y) => 128 + 32 * x + 16 * y);
    expect(blueOf(pixelsOfPlanes(across, size, halved))).toEqual([0, 8, 24, 32, 16, 24, 40, 48]);
    const full = planesOf(size, size, (x, y) => 128 + 8 * x + 16 * y);
    expect(blueOf(pixelsOfPlanes(full, size, size))).toEqual([0, 8, 16, 24, 16, 24, 32, 40]);
  });

  test("repeats the last samples of odd sides", () => {
    const size = { width: 5, height: 3 };
    const planes = planesOf(size, chromaSize(size), (x) => 128 + 16 * x);
    expect(blueOf(pixelsOfPlanes(planes, size)).slice(-5)).toEqual([0, 4, 12, 20, 28]);
  });

  test("returns some rows as it returns them in the whole picture", () => {
    const size = { width: 7, height: 9 };
    const planes = planesOf(size, chromaSize(size), (x, y) => (53 * x + 31 * y) % 256);
    const whole = pixelsOfPlanes(planes, size);
    const rows = pixelsOfPlanes(planes, size, chromaSize(size), { first: 4, count: 3 });
    expect(rows).toEqual(whole.subarray(4 * 7 * 4, 4 * 7 * 7));
  });
});
