import type { PngChunk } from "../color/png-colors.ts";
import type { Planes } from "./planes.ts";
import type { RowProgress } from "./row-progress.ts";
import type { Size } from "./size.ts";

/** What every picture says of itself. */
interface Described extends Size {
  /** The ICC profile that the values are in, once they are red, green and blue; sRGB when absent. */
  readonly icc?: Uint8Array | undefined;
  /** What says, in a PNG without a profile, which colors the values are. */
  readonly pngColors?: readonly PngChunk[] | undefined;
  /** The file's own coding of the picture, its profile but no other metadata, where that shows the same. */
  readonly stored?: Blob | undefined;
  /** Whether any pixel may be transparent. */
  readonly hasAlpha: boolean;
}

/** A picture as the platform holds it. */
export interface BitmapPicture extends Described {
  readonly kind: "bitmap";
  readonly bitmap: ImageBitmap;
  /** Whether the bitmap is the file's values, which decoding neither turned nor converted. */
  readonly isAsStored?: boolean | undefined;
  /** The color (#rrggbb) behind it where it is transparent, with which it counts as opaque. */
  readonly backdrop?: string | undefined;
}

/** The values of a picture's pixels. */
export interface PixelValues extends Size {
  /** Red, green, blue and alpha of each pixel, not premultiplied, row after row from the top. */
  readonly pixels: Uint8ClampedArray<ArrayBuffer>;
}

/** A picture as values. */
export interface PixelPicture extends Described, PixelValues {
  readonly kind: "pixels";
}

interface FramePicture extends Described {
  readonly kind: "frame";
  /** Values that are the browser's: see jpeg/frame-rows.ts and jpeg/bitmap-rows.ts. */
  readonly frame: VideoFrame;
  readonly hasAlpha: false;
}

interface PlanePicture extends Described {
  readonly kind: "planes";
  readonly planes: Planes;
  /** By what the rows of the planes come, where they need not all be there yet. */
  readonly arrival?: RowProgress | undefined;
  readonly hasAlpha: false;
}

/**
 * A decoded picture: upright, in sRGB unless it names another profile. As the platform holds it (drawing and encoding
 * are then native and fast, but colors under partial transparency are only approximate), as exact values, or as it is
 * coded both where it comes from and where it goes.
 */
export type Picture = BitmapPicture | PixelPicture | FramePicture | PlanePicture;
