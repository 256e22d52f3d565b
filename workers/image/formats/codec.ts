import type { ProfilePolicy } from "../color/color.ts";
import type { Resolution } from "../metadata/exif.ts";
import type { Metadata } from "../metadata/metadata.ts";
import type { Layout, SourcePicture } from "../picture/picture.ts";
import type { Size } from "../picture/size.ts";
import type { EncodedImage } from "./encoded-image.ts";

/**
 * The properties of an image that the header of its file states. The size is in pixels as stored, before any rotation.
 */
interface ImageHeader extends Size {
  /** Whether any pixel may be transparent. */
  readonly hasAlpha: boolean;
  /** Present when the header itself states it. EXIF may state another one. */
  readonly resolution?: Resolution | undefined;
}

/**
 * What the decoder must keep exactly.
 *
 * - `display`: what a viewer sees. Colors under partial transparency may be approximate.
 * - `alpha`: the colors under partial transparency, too.
 * - `exact`: every value that the file holds exactly.
 */
export type Fidelity = "display" | "alpha" | "exact";

/** What happens to colors that are not sRGB. */
export interface ColorPolicy {
  readonly profile: ProfilePolicy;
  /** Whether the output can state a color space without an ICC profile: see `ColorRecord`. */
  readonly records: boolean;
}

/** How an image is decoded. */
export interface DecodeOptions {
  /** The layouts that the caller accepts. */
  readonly layouts: readonly Layout[];
  readonly colors: ColorPolicy;
  readonly fidelity: Fidelity;
  /** The number of other workers that may help. */
  readonly helpers: number;
}

/** One image of an open file. */
export interface SourceImage extends ImageHeader {
  /** The size as viewers show the image, after crop and rotation. */
  readonly shown: Size;
  /** Whether the file names it as its primary image. Default: false. */
  readonly isPrimary?: boolean;
  /** The layouts that the image can be decoded to, cheapest first. */
  readonly layouts: readonly Layout[];
  /**
   * Decodes the image to the first of its layouts that the options, the browser and the state of the file allow.
   * Applies the orientation.
   *
   * @throws {ServiceError} `damaged_file` when the data cannot be decoded, `out_of_memory`
   */
  decode(options: DecodeOptions): Promise<SourcePicture>;
  /** Reads the metadata of the image. A format without metadata lacks this function. */
  metadata?(): Promise<Metadata>;
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

/** How a picture is encoded. */
export interface EncodeOptions {
  /** From 0 to 1, for a lossy format. The encoder has a default. */
  readonly quality?: number | undefined;
  /** The metadata to write. None by default. */
  readonly metadata?: Metadata | undefined;
}

/** What an encoder takes for one image. */
interface Acceptance {
  readonly layouts: readonly Layout[];
  /** What the output keeps. */
  readonly fidelity: Fidelity;
}

/** The properties of an encoder that `plan.ts` uses. */
export interface EncoderTraits {
  /** Whether the format holds transparency. */
  readonly alpha: boolean;
  /** How the format states colors that are not sRGB. `"none"` also means that it carries no metadata. */
  readonly colorLabels: "none" | "icc" | "icc and records";
  /** Says what the encoder takes for an image at a quality. */
  accepts(image: ImageHeader, quality: number | undefined): Acceptance;
}

/** A format that can be written. */
export interface Encoder extends EncoderTraits {
  /** Whether a lower `quality` makes the file smaller. */
  readonly lossy: boolean;
  /** The longest side that the format allows, when it is shorter than what browsers can draw. */
  readonly longestSide?: number;
  /** @throws {ServiceError} `internal_error` when neither the browser nor a codec can write the format */
  encode(picture: SourcePicture, options: EncodeOptions): Promise<EncodedImage>;
}

/** One image format. Its folder exports it, and by-format.ts lists it. */
export interface Codec {
  readonly decoder?: Decoder;
  readonly encoder?: Encoder;
}
