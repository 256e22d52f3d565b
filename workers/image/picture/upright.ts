import { newCanvas } from "../browser/canvas.ts";
import type { Orientation } from "../metadata/exif.ts";
import type { PixelPicture } from "./picture.ts";

/** Returns a bitmap upright. Consumes the bitmap. */
export function uprightBitmap(bitmap: ImageBitmap, orientation: Orientation): ImageBitmap {
  if (orientation === 1) return bitmap;
  const { width, height } = bitmap;
  const isTurned = orientation >= 5;
  const canvas = newCanvas(isTurned ? height : width, isTurned ? width : height, (context) => {
    context.setTransform(...TRANSFORMS[orientation](width, height));
    context.drawImage(bitmap, 0, 0);
  });
  bitmap.close();
  return canvas.transferToImageBitmap();
}

type Matrix = [number, number, number, number, number, number];

/** The stored pixel at x, y moves to (a·x + c·y + e, b·x + d·y + f). */
const TRANSFORMS: Readonly<Record<Orientation, (width: number, height: number) => Matrix>> = {
  1: () => [1, 0, 0, 1, 0, 0],
  2: (width) => [-1, 0, 0, 1, width, 0],
  3: (width, height) => [-1, 0, 0, -1, width, height],
  4: (_, height) => [1, 0, 0, -1, 0, height],
  5: () => [0, 1, 1, 0, 0, 0],
  6: (_, height) => [0, 1, -1, 0, height, 0],
  7: (width, height) => [0, -1, -1, 0, height, width],
  8: (width) => [0, -1, 1, 0, 0, width],
};

/** Returns a picture upright. */
export function uprightPixels(picture: PixelPicture, orientation: Orientation): PixelPicture {
  if (orientation === 1) return picture;
  const { width, height } = picture;
  const [a, b, c, d, e, f] = TRANSFORMS[orientation](width, height);
  const newWidth = orientation >= 5 ? height : width;
  const from = new Uint32Array(picture.pixels.buffer, picture.pixels.byteOffset, width * height);
  const to = new Uint32Array(width * height);
  // A pixel is a square. When the transform flips an axis, the corner of the square changes.
  const startX = a + c < 0 ? e - 1 : e;
  const startY = b + d < 0 ? f - 1 : f;
  const acrossStep = a + b * newWidth;
  for (let y = 0, at = 0; y < height; y++) {
    let target = startX + c * y + (startY + d * y) * newWidth;
    for (let x = 0; x < width; x++, at++, target += acrossStep) to[target] = from[at] ?? 0;
  }
  return {
    ...picture,
    width: newWidth,
    height: orientation >= 5 ? width : height,
    pixels: new Uint8ClampedArray(to.buffer),
  };
}
