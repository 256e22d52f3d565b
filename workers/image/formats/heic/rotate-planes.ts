import type { Orientation } from "../../metadata/exif.ts";
import { chromaSize, newPlanes, type Planes } from "../../picture/planes.ts";
import type { Size } from "../../picture/size.ts";

/** Planes and the size of their picture. */
interface SizedPlanes extends Size {
  readonly planes: Planes;
}

/** The side of the blocks in which values are copied. A block stays in the first-level cache. */
const BLOCK = 64;

/** Returns planes upright. A picture with odd sides must be upright already. */
export function turnedPlanes(planes: Planes, size: Size, orientation: Orientation): SizedPlanes {
  if (orientation === 1) return { planes, ...size };
  const { width, height } = size;
  const turned = orientation >= 5 ? { width: height, height: width } : { width, height };
  const into = newPlanes(turned);
  const half = chromaSize(size);
  turn(planes.luma, size, into.luma, orientation);
  turn(planes.cb, half, into.cb, orientation);
  turn(planes.cr, half, into.cr, orientation);
  return { planes: into, ...turned };
}

function turn(from: Uint8Array, { width, height }: Size, into: Uint8Array, orientation: Orientation): void {
  const newWidth = orientation >= 5 ? height : width;
  const newHeight = orientation >= 5 ? width : height;
  // The destination of the first value, and the steps to the next value, across and down.
  const isFromRight = [2, 3, 6, 7].includes(orientation);
  const isFromBottom = [3, 4, 7, 8].includes(orientation);
  const start = (isFromRight ? newWidth - 1 : 0) + (isFromBottom ? newHeight - 1 : 0) * newWidth;
  const sideways = isFromRight ? -1 : 1;
  const downwards = isFromBottom ? -newWidth : newWidth;
  const [across, down] = orientation >= 5 ? [downwards, sideways] : [sideways, downwards];
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
