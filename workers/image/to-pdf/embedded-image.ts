import type { BytePart } from "../../io/byte-ranges.ts";
import type { Orientation, Resolution } from "../metadata/exif.ts";
import { type ColorSpace, withNeutralProfile } from "./color-space.ts";

/** The limit of a side of an image whose values are read, as that of a JPEG. No canvas holds it. */
export const LONGEST_EMBEDDED_SIDE = 65_535;

/** How samples are compressed. */
export type Compression =
  /** `rgb`: the three components are not YCbCr, though the data does not say so. */
  | { readonly kind: "jpeg"; readonly rgb: boolean }
  /** Bilevel rows of ITU-T T.4 or T.6: the parameters of CCITTFaxDecode (ISO 32000-2, 7.4.6). */
  | {
      readonly kind: "fax";
      readonly k: -1 | 0 | 1;
      readonly isByteAligned: boolean;
      readonly blackIs1: boolean;
    }
  /** zlib data. `filtered`: each row begins with its PNG filter type. */
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
  /** Pixels per inch, horizontally and vertically, of the stored pixels, if the image states them. */
  readonly resolution: Resolution | undefined;
  readonly colorSpace: ColorSpace;
  /** Whether the samples are inverted, as in Adobe's CMYK. */
  readonly inverted?: boolean;
  /** The color that is not painted: the lowest and the highest value of each component. */
  readonly colorKey?: readonly number[] | undefined;
  /** A gray image of opacity. */
  readonly softMask?: Samples | undefined;
  readonly xmp?: Uint8Array | undefined;
}

/** Returns the number of samples per pixel. */
export function componentsOf(space: ColorSpace): number {
  return space.kind === "indexed" ? 1 : space.components;
}

/** Returns an image without XMP and with a rebuilt profile that identifies nothing. */
export function withoutMetadata(image: EmbeddedImage): EmbeddedImage {
  return { ...image, xmp: undefined, colorSpace: withNeutralProfile(image.colorSpace) };
}
