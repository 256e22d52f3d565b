import type { BytePart } from "../../io/byte-ranges.ts";
import type { Color } from "../color/color.ts";
import type { Orientation, Resolution } from "../metadata/exif.ts";
import type { Metadata } from "../metadata/metadata.ts";
import type { BitmapPicture, Picture, PixelPicture } from "../picture/picture.ts";
import type { Size } from "../picture/size.ts";
import type { EncodedImage } from "./encoded-image.ts";

/**
 * What a file says about one of its images, before pixels are decoded. The size is in pixels as stored, before any
 * rotation.
 */
interface ImageFacts extends Size {
  /** The size as viewers show the image, after crop and rotation. */
  readonly shown: Size;
  /** Whether any pixel may be transparent. */
  readonly hasAlpha: boolean;
  /** Whether the coded data holds exact values, as in a PNG. Default: false. */
  readonly isLossless?: boolean;
  /** The color space of the coded values. Browsers show an image without one as sRGB, and do not convert it. */
  readonly color?: Color | undefined;
  /** Whether the file names it as its primary image. Default: false. */
  readonly isPrimary?: boolean;
  /** Present when the header itself states it. EXIF may state another one. */
  readonly resolution?: Resolution | undefined;
}

/**
 * The ways to decode an image. All of them apply the orientation, and none decides about colors: `decide.ts` does.
 * They throw `damaged_file` when the data cannot be decoded, `out_of_memory`, or `unsupported_conversion`.
 */
export interface Decoders {
  /**
   * Decodes to planes in the color space of JPEG, with the values as stored. May return pixels, also as stored.
   *
   * @param helpers the number of other workers that may help
   * @returns `undefined` when another decoder must be used
   */
  planes?(helpers: number): Promise<Picture | undefined>;
  /**
   * Decodes with WebAssembly or our own codec to values as stored. CMYK becomes sRGB.
   *
   * @param helpers the number of other workers that may help
   * @returns `undefined` when another decoder must be used
   */
  pixels?(helpers: number): Promise<PixelPicture | undefined>;
  /**
   * Decodes with the browser.
   *
   * @param keepsValues whether values stay as stored. Otherwise the browser converts colors
   */
  browser?(keepsValues: boolean): Promise<BitmapPicture>;
}

/** One image of an open file. */
export interface SourceImage extends ImageFacts {
  readonly decoders: Decoders;
  /**
   * Returns the coded data of the file. Absent when viewers would not show it as they show the image.
   *
   * @returns `undefined` for a damaged file
   */
  coded?(): Promise<CodedImage | undefined>;
  /**
   * Returns the coded data for a PDF. Absent when PDF cannot hold it. Not for formats whose files go into a PDF as a whole.
   *
   * @throws {ServiceError} `damaged_file`
   */
  stored?(): StoredImage;
  /** Reads the metadata of the image. A format without metadata lacks this function. */
  metadata?(): Promise<Metadata>;
}

/** An image in the format of its file, with its coded data unchanged. */
export interface CodedImage {
  /** A file without metadata and without ICC profile. */
  readonly data: EncodedImage;
  /** The ICC profile of the file. */
  readonly icc: Uint8Array | undefined;
}

/** The coded data of an image that PDF can hold as it is. The image is not upright: its orientation is that of the file. */
export type StoredImage = { readonly orientation: Orientation } & (StoredFax | StoredJpeg);

/** Rows that are coded by ITU-T T.4 or T.6. */
interface StoredFax {
  readonly kind: "fax";
  /** As in a PDF (ISO 32000-2, 7.4.6): -1 for T.6, 0 for T.4, 1 for two-dimensional T.4. */
  readonly k: -1 | 0 | 1;
  /** Whether each row begins at a byte. */
  readonly isByteAligned: boolean;
  /** Whether the runs that are coded as black have the value 1, which is white. */
  readonly blackIs1: boolean;
  /** From the top. Each is coded on its own. */
  readonly strips: readonly StoredStrip[];
}

/** Some rows of an image. Ranges refer to the file. */
export interface StoredStrip {
  readonly height: number;
  readonly data: readonly BytePart[];
}

interface StoredJpeg {
  readonly kind: "jpeg";
  readonly bytes: Uint8Array;
}

/** A format that can be read. */
export interface Decoder {
  /**
   * Reads what the file says about its images, without decoding pixels.
   *
   * @returns the images of the file, in file order
   * @throws {ServiceError} `damaged_file` when the file is cut off or makes no sense
   */
  open(file: Blob): Promise<readonly SourceImage[]>;
}

/**
 * What an encoder keeps exactly.
 *
 * - `display`: what a viewer sees. Colors under partial transparency may be approximate.
 * - `alpha`: the colors under partial transparency, too.
 * - `exact`: every value.
 */
type Fidelity = "display" | "alpha" | "exact";

/** The properties of an output format that `decide.ts` uses. */
export interface EncoderTraits {
  /** Whether a lower `quality` makes the file smaller. */
  readonly lossy: boolean;
  /** Whether the format holds transparency. */
  readonly alpha: boolean;
  /** Whether it holds EXIF, XMP and ICC profiles. Otherwise the picture must be in sRGB. */
  readonly metadata: boolean;
  /** Says what the encoder does with an image at a quality: whether it takes planes, and what it keeps. */
  accepts(
    image: Size & { readonly hasAlpha: boolean },
    quality: number | undefined,
  ): { readonly planes: boolean; readonly fidelity: Fidelity };
}

/** A format that can be written. */
export interface Encoder extends EncoderTraits {
  /** The longest side that the format allows, when it is shorter than what browsers can draw. */
  readonly longestSide?: number;
  /** Whether the encoder takes values only. A bitmap is then released before it is encoded. Default: false. */
  readonly takesPixels?: boolean;
  /**
   * Encodes a picture, without metadata and without its profile.
   *
   * @param quality from 0 to 1, for a lossy format. The encoder has a default.
   * @throws {ServiceError} `internal_error` when neither the browser nor a codec can write the format
   */
  encode(picture: Picture, quality?: number): Promise<EncodedImage>;
  /** Returns an encoded image with metadata. Absent when the format holds none. */
  withMetadata?(encoded: Uint8Array<ArrayBuffer>, metadata: Metadata): Blob;
}

/** One image format. Its folder exports it, and codecs.ts lists it. */
export interface Codec {
  readonly decoder?: Decoder;
  readonly encoder?: Encoder;
}
