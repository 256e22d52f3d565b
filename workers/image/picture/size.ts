import type { Orientation } from "../metadata/exif.ts";

/** A width and a height, in pixels unless another unit is named. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Returns the size of a picture that an orientation rotates. */
export function uprightSize({ width, height }: Size, orientation: Orientation): Size {
  return orientation >= 5 ? { width: height, height: width } : { width, height };
}
