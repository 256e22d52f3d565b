import type { Turn } from "../../../src/shared/rotation.ts";
import { newCanvas } from "../browser/canvas.ts";
import type { Orientation } from "../metadata/exif.ts";
import type { PixelPicture } from "./picture.ts";
import { chromaSize, newPlanes, type Planes } from "./planes.ts";
import type { Size } from "./size.ts";

/** How an orientation moves pixels. Rows and columns are exchanged first, then they may count from the other side. */
interface PixelOrder {
  /** Whether rows become columns. */
  readonly isTurned: boolean;
  readonly isFromRight: boolean;
  readonly isFromBottom: boolean;
}

/** Returns how to move pixels so that they are upright (Exif 3.0, 4.6.5.1). */
export function turnBy(orientation: Orientation): PixelOrder {
  return {
    isTurned: orientation >= 5,
    isFromRight: [2, 3, 6, 7].includes(orientation),
    isFromBottom: [3, 4, 7, 8].includes(orientation),
  };
}

/** Returns the size of a picture that an orientation rotates. */
export function uprightSize({ width, height }: Size, orientation: Orientation): Size {
  return turnBy(orientation).isTurned ? { width: height, height: width } : { width, height };
}

/** The orientations in the order in which a clockwise quarter turn leads from one to the next: as they are, and mirrored. */
const CYCLES: readonly (readonly Orientation[])[] = [
  [1, 6, 3, 8],
  [2, 7, 4, 5],
];

/** Returns the orientation of a picture that is also rotated after its own orientation. */
export function rotatedOrientation(orientation: Orientation, turn: Turn): Orientation {
  const cycle = CYCLES.find((one) => one.includes(orientation)) ?? [];
  return cycle[(cycle.indexOf(orientation) + turn / 90) % 4] ?? orientation;
}

/** Returns a bitmap upright. Consumes the bitmap. */
export function uprightBitmap(bitmap: ImageBitmap, orientation: Orientation): ImageBitmap {
  if (orientation === 1) return bitmap;
  const { width, height } = uprightSize(bitmap, orientation);
  const { isTurned, isFromRight, isFromBottom } = turnBy(orientation);
  const canvas = newCanvas(width, height, (context) => {
    context.translate(isFromRight ? width : 0, isFromBottom ? height : 0);
    context.scale(isFromRight ? -1 : 1, isFromBottom ? -1 : 1);
    if (isTurned) context.transform(0, 1, 1, 0, 0, 0);
    context.drawImage(bitmap, 0, 0);
  });
  bitmap.close();
  return canvas.transferToImageBitmap();
}

/** Returns a picture upright. */
export function uprightPixels(picture: PixelPicture, orientation: Orientation): PixelPicture {
  if (orientation === 1) return picture;
  const { pixels, width, height } = picture;
  const from = new Uint32Array(pixels.buffer, pixels.byteOffset, width * height);
  const into = new Uint32Array(width * height);
  turn(from, picture, into, orientation);
  return { ...picture, ...uprightSize(picture, orientation), pixels: new Uint8ClampedArray(into.buffer) };
}

/** Returns planes upright. A picture with odd sides must be upright already. */
export function uprightPlanes(planes: Planes, size: Size, orientation: Orientation): Planes {
  if (orientation === 1) return planes;
  const into = newPlanes(uprightSize(size, orientation));
  turn(planes.luma, size, into.luma, orientation);
  turn(planes.cb, chromaSize(size), into.cb, orientation);
  turn(planes.cr, chromaSize(size), into.cr, orientation);
  return into;
}

/** The side of the blocks in which values are copied. A block stays in the first-level cache. */
const BLOCK = 64;

function turn<Values extends Uint8Array | Uint32Array>(
  from: Values,
  size: Size,
  into: Values,
  orientation: Orientation,
): void {
  const { width, height } = size;
  const upright = uprightSize(size, orientation);
  const { isTurned, isFromRight, isFromBottom } = turnBy(orientation);
  // The destination of the first value, and the steps to the next value, across and down.
  const start =
    (isFromRight ? upright.width - 1 : 0) + (isFromBottom ? upright.height - 1 : 0) * upright.width;
  const sideways = isFromRight ? -1 : 1;
  const downwards = isFromBottom ? -upright.width : upright.width;
  const [across, down] = isTurned ? [downwards, sideways] : [sideways, downwards];
  for (let top = 0; top < height; top += BLOCK) {
    const bottom = Math.min(height, top + BLOCK);
    for (let left = 0; left < width; left += BLOCK) {
      const right = Math.min(width, left + BLOCK);
      for (let y = top; y < bottom; y++) {
        let target = start + left * across + y * down;
        for (let at = y * width + left; at < y * width + right; at++, target += across) {
          into[target] = from[at] ?? 0;
        }
      }
    }
  }
}
