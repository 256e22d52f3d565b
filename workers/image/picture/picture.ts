import type { ColorRecord } from "../metadata/metadata.ts";
import type { Planes } from "./planes.ts";
import type { Size } from "./size.ts";

/**
 * How a picture is stored in memory.
 *
 * - `coded`: the coded data of the file.
 * - `frame`: a `VideoFrame` with the planes of a JPEG, in the subsampling of the file.
 * - `yuv420`: luma and chroma planes, in the color space of JPEG.
 * - `bitmap`: an `ImageBitmap`. Drawing it is fast, but colors under partial transparency are approximate.
 * - `rgba`: exact red, green, blue and alpha values.
 */
export type Layout = "coded" | "frame" | "yuv420" | "bitmap" | "rgba";

/** The properties of a picture in any layout. */
interface PictureTraits extends Size {
  /** The ICC profile that the values are in. sRGB when absent. */
  readonly icc?: Uint8Array | undefined;
  /** The color space of the values, where it is stated without an ICC profile. */
  readonly colorRecords?: readonly ColorRecord[] | undefined;
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

/** A decoded picture: upright, in sRGB unless it names another color space. */
export type Picture = BitmapPicture | PixelPicture | FramePicture | PlanePicture;

/** A picture as the coded data of its file, which viewers show unchanged. */
export interface CodedPicture extends PictureTraits {
  readonly layout: "coded";
  /** The file without metadata, except for its color profile. */
  readonly data: Blob;
  /** The same picture, decoded. Decoding proves that the data is sound. */
  readonly decoded: Picture;
}

/** The result of a decoder. */
export type SourcePicture = Picture | CodedPicture;

/** Returns a coded picture as values. Returns any other picture unchanged. */
export function decodedPicture(picture: SourcePicture): Picture {
  return picture.layout === "coded" ? picture.decoded : picture;
}

/** Returns a picture with the coded data that shows the same. */
export function codedPicture(decoded: Picture, data: Blob): CodedPicture {
  const { width, height, hasAlpha, icc, colorRecords } = decoded;
  return { layout: "coded", width, height, hasAlpha, icc, colorRecords, data, decoded };
}
