import type { BytePart } from "../../io/byte-ranges.ts";
import type { Orientation, Resolution } from "../metadata/exif.ts";
import { type ColorSpace, withNeutralProfile } from "./color-space.ts";

/** How samples are compressed. */
export type Compression =
  /** `rgb`: the data does not say so itself, but its three components are no YCbCr. */
  | { readonly kind: "jpeg"; readonly rgb: boolean }
  /** zlib data; `filtered` when each row begins with the PNG filter that it went through. */
  | { readonly kind: "flate"; readonly filtered: boolean };

/** Samples as they go into the file. */
export interface Samples {
  readonly bitsPerComponent: number;
  readonly compression: Compression;
  readonly data: readonly BytePart[];
}

/** An image as it goes into a PDF, upright or not. */
export interface EmbeddedImage extends Samples {
  /** In pixels, as stored: before {@link orientation}. */
  readonly width: number;
  readonly height: number;
  readonly orientation: Orientation;
  /** Pixels per inch across and down the stored pixels; undefined when the image does not say. */
  readonly resolution: Resolution | undefined;
  readonly colorSpace: ColorSpace;
  /** Whether the samples stand for the opposite of what they say, as in Adobe's CMYK. */
  readonly inverted?: boolean;
  /** The one color that is not painted: lowest and highest value of each component. */
  readonly colorKey?: readonly number[] | undefined;
  /** Opacity, in gray. */
  readonly softMask?: Samples | undefined;
  readonly xmp?: Uint8Array | undefined;
  /** Whether there is XMP that was not read, for its length. */
  readonly isXmpTooLong?: boolean | undefined;
}

/** How many samples a pixel has in a color space. */
export function componentsOf(space: ColorSpace): number {
  return space.kind === "indexed" ? 1 : space.components;
}

/** Returns an image without XMP and with a rebuilt profile that identifies nothing. */
export function withoutMetadata(image: EmbeddedImage): EmbeddedImage {
  return { ...image, xmp: undefined, colorSpace: withNeutralProfile(image.colorSpace) };
}
