import type { Planes } from "./planes.ts";
import type { Size } from "./size.ts";

/** The properties of a picture in any layout. */
interface PictureTraits extends Size {
  /** The ICC profile that the values are in. sRGB when absent. */
  readonly icc?: Uint8Array | undefined;
  /** Whether any pixel may be transparent. */
  readonly hasAlpha: boolean;
}

/** A picture that the browser holds. */
export interface BitmapPicture extends PictureTraits {
  readonly layout: "bitmap";
  readonly bitmap: ImageBitmap;
  /** Whether decoding neither rotated the values of the file nor converted their colors. */
  readonly isAsStored?: boolean | undefined;
}

/** The values of a picture's pixels. */
export interface PixelValues extends Size {
  /** Red, green, blue and alpha of each pixel, not premultiplied, row by row from the top. */
  readonly pixels: Uint8ClampedArray<ArrayBuffer>;
}

/** A picture as exact values. */
export interface PixelPicture extends PictureTraits, PixelValues {
  readonly layout: "rgba";
}

/** A picture whose planes a `VideoFrame` holds. */
export interface FramePicture extends PictureTraits {
  readonly layout: "frame";
  readonly frame: VideoFrame;
  readonly hasAlpha: false;
}

/** A picture as planes. */
export interface PlanePicture extends PictureTraits {
  readonly layout: "yuv420";
  readonly planes: Planes;
  readonly hasAlpha: false;
}

/** Samples of gray, or of another single component, a byte each, row by row from the top. Only PDF has such pictures. */
export interface GrayPicture extends Size {
  readonly layout: "gray";
  readonly samples: Uint8Array;
}

/**
 * A decoded picture: upright, in sRGB unless it names another color space. Its layout says how it is in memory.
 *
 * - `frame`: a `VideoFrame` with the planes of a JPEG, in the subsampling of the file.
 * - `yuv420`: luma and chroma planes, in the color space of JPEG.
 * - `bitmap`: an `ImageBitmap`. Drawing it is fast, but colors under partial transparency are approximate.
 * - `rgba`: exact red, green, blue and alpha values.
 */
export type Picture = BitmapPicture | PixelPicture | FramePicture | PlanePicture;
