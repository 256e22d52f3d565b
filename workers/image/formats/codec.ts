import type { Resolution } from "../metadata/exif.ts";
import type { Metadata } from "../metadata/metadata.ts";
import type { Picture } from "../picture/picture.ts";
import type { Size } from "../picture/size.ts";

/** What an image file says of itself before anything is decoded. */
export interface ImageHeader {
  /** The images in the file, in file order; all formats but HEIC have one. */
  readonly images: readonly {
    /** In pixels, as the file stores them: before any rotation. */
    readonly width: number;
    readonly height: number;
    /** Whether any pixel may be transparent. */
    readonly hasAlpha: boolean;
    /** Where the header itself says it, beside any metadata. */
    readonly resolution?: Resolution | undefined;
  }[];
}

/** How a picture is decoded. */
export interface DecodeOptions {
  /** Which image of the file, counted from 0. */
  readonly index: number;
  /** Whether values under partial transparency must be exact, not premultiplied and back. */
  readonly exactAlpha: boolean;
  /**
   * What becomes of a color profile that is not sRGB. `"convert"` (what an absent one means too): the values become
   * sRGB. `"allow"`: they may stay as they are, where that keeps them exact, and the picture then names its
   * profile. `"keep"`: they stay as they are wherever the platform can.
   */
  readonly profile?: "convert" | "allow" | "keep";
  /** Whether the output keeps every value: where the input does too, they stay as they are, with their profile. */
  readonly exactValues?: boolean;
  /** Whether the output can say in a PNG's own chunks which colors are meant. */
  readonly pngColors?: boolean;
  /**
   * Whether the output may be the file's own coding. Where possible, the decoder then returns it in `stored`.
   * The coding keeps the file's ICC profile when `profile` is `"keep"`. Otherwise the profile is rebuilt
   * without identifying data.
   */
  readonly stored?: boolean;
  /** Whether the picture may come in planes: those of JPEG, before and after. */
  readonly planes?: boolean;
  /** How many more workers may run for this picture; none when absent. */
  readonly helpers?: number | undefined;
}

/** How a picture is encoded. */
export interface EncodeOptions {
  /** Of a lossy format, from 0 to 1; the encoder's own default when absent. */
  readonly quality?: number | undefined;
  /** How many more workers may run for this picture; none when absent. */
  readonly helpers?: number | undefined;
}

/** A format that can be read. Decoding applies orientation exactly once and gives sRGB, or says what else. */
export interface Decoder {
  /**
   * Reads the header, a bounded part of the file.
   *
   * @throws {ServiceError} `damaged_file` when it is cut off or makes no sense
   */
  inspect(file: Blob): Promise<ImageHeader>;
  /** @throws {ServiceError} `damaged_file` when the data cannot be decoded, `out_of_memory` */
  decode(file: Blob, options: DecodeOptions): Promise<Picture>;
  /** What the file says of one of its images beside the pixels; a format without this says nothing. */
  metadata?(file: Blob, index: number): Promise<Metadata>;
}

/** A format that can be written. */
export interface Encoder {
  /** Whether `quality` makes the file smaller. */
  readonly lossy: boolean;
  /** Whether the format holds transparency. */
  readonly alpha: boolean;
  /** The longest side that the format can say, where that is less than browsers can draw. */
  readonly longestSide?: number;
  /** Whether it can say which colors are meant in a PNG's own chunks, without a profile. */
  readonly pngColors?: boolean;
  /** Whether every value of such a picture comes back; a format without this keeps none. */
  keepsValues?(picture: { readonly hasAlpha: boolean }, options: EncodeOptions): boolean;
  /** Whether it would rather have such a picture in planes; a format without this never. */
  takesPlanes?(picture: Size, options: EncodeOptions): boolean;
  /** @throws {ServiceError} `internal_error` where neither the browser nor a codec can write it */
  encode(picture: Picture, options: EncodeOptions): Promise<Blob>;
  /**
   * Encodes into this worker's memory, where a Blob would only be read again; nothing where that takes longer, or
   * cannot be done.
   */
  toBytes?(picture: Picture, options: EncodeOptions): Promise<Uint8Array<ArrayBuffer> | undefined>;
  /** Puts metadata into an encoded file; a format without this carries none. */
  withMetadata?(encoded: Blob | Uint8Array<ArrayBuffer>, metadata: Metadata): Promise<Blob>;
}

/** One image format: a file in `codecs/` each. */
export interface Codec {
  readonly decoder?: Decoder;
  readonly encoder?: Encoder;
}
