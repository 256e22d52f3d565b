import type { AskPassword } from "./ask-password.ts";
import type { FileInput } from "./downloads.ts";
import type { FormatId } from "./shared/formats.ts";
import type { Cleaned, Permission, SequenceEntry } from "./shared/protocol.ts";

/** A format that `convert` writes, on the device or by the remote service. Case does not matter. */
export type OutputFormat = Exclude<FormatId, "heic" | "gif" | "bmp" | "tiff" | "jxl"> | "jpeg";

/**
 * A clockwise rotation, in addition to that of the file: for all pages, or in groups such as `90:1-3,5;-90:last`. Page
 * numbers are those of the input.
 */
export type Rotation = 90 | -90 | 180 | (string & Record<never, never>);

/** The form fields of `convert`. */
export interface ConvertParams {
  /** The file, or several images, which become one PDF in this order. */
  readonly file: FileInput | readonly FileInput[];
  readonly output_format: OutputFormat | (string & Record<never, never>);
  /** The quality of a JPG, WebP or AVIF, from 0 to 1. Default: that of each format. */
  readonly quality?: number | undefined;
  /** PDF to image: dots per inch. Default: 150. */
  readonly dpi?: number | undefined;
  /**
   * Which pages of a PDF, or which images of a file with several: `1,3-5`, `all,x2` (all but page 2). Default: all. Several pages or images become
   * a zip of images. `"primary"` selects the primary image of a HEIC from a phone, and of other image formats the first
   * one, so that the result is never a zip.
   */
  readonly pages?: string | undefined;
  /** Rotates pages of a PDF, or images after their orientation. Several images take one angle. Default: none. */
  readonly rotate?: Rotation | undefined;
  /** The CSS color behind transparent parts if the output has no transparency, and of the paper of a PDF. Default: white. */
  readonly background?: string | undefined;
  /** Image to PDF: `"fit"` gives each page the size of its image. Default: `"fit"`. */
  readonly page_size?: "fit" | "a4" | "letter" | undefined;
  /** Whether to keep the metadata of an image, such as place, time and camera. Default: false. */
  readonly keep_metadata?: boolean | undefined;
  /** The most bytes that each image may have. Default: no limit. */
  readonly max_bytes?: number | undefined;
  /** The most pixels that each image may have across. A larger image is scaled down, never up. Default: no limit. */
  readonly max_width?: number | undefined;
  /** The most pixels that each image may have down. The aspect ratio stays. Default: no limit. */
  readonly max_height?: number | undefined;
  /** The password of a protected PDF, or a function that returns it, which is called when the file needs one. */
  readonly password?: string | AskPassword | undefined;
}

/** The form fields of `protect-pdf`. */
export interface ProtectParams {
  readonly file: FileInput;
  /**
   * The password that opens the file. At most 127 bytes of UTF-8. It may be empty when `owner_password` is given: everyone
   * can then open the file, with the restrictions of `permissions`.
   */
  readonly password: string;
  /** The password that opens the file without restrictions. Not empty. Default: random. */
  readonly owner_password?: string | undefined;
  /** The permissions of a user without `owner_password`. Default: all. */
  readonly permissions?: readonly Permission[] | undefined;
}

/** The form fields of `unlock-pdf`. */
export interface UnlockParams {
  readonly file: FileInput;
  /**
   * The user or the owner password. It may be empty. Or a function that returns it, which is called unless the file opens
   * without a password.
   */
  readonly password: string | AskPassword;
}

/** The ways to split a PDF. A call has exactly one of them. */
export interface SplitWays {
  /**
   * Items separated by commas. Each item becomes one PDF: `7`, `3-5`, `5-` (to the end), `9-7` (reversed), `last`,
   * `odd`, `even`, `all` (one PDF for each page). `x` excludes pages from the item before it: `1-10,x3-4`.
   */
  readonly pages: string;
  /** The number of pages in each PDF. The last one may have fewer. */
  readonly every: number;
  /** One PDF for each top-level entry of the outline. */
  readonly by: "outline";
  /** The most bytes of each PDF, which gets as many pages as fit. A page that is larger is a PDF by itself. */
  readonly max_bytes: number;
}

type ExactlyOne<All> = {
  [Key in keyof All]: Pick<All, Key> & {
    readonly [Other in Exclude<keyof All, Key>]?: undefined;
  };
}[keyof All];

/** The form fields of `split-pdf`: the file, and exactly one of {@link SplitWays}. */
export type SplitParams = ExactlyOne<SplitWays> & {
  readonly file: FileInput;
  /** Rotates pages. Default: none. */
  readonly rotate?: Rotation | undefined;
  /** The password of a protected PDF, or a function that returns it, which is called when the file needs one. */
  readonly password?: string | AskPassword | undefined;
};

/** The form fields of `merge-pdf`: files with the fields of one of two ways, and fields of both. */
export type MergeParams = (WholeMerge | SequenceMerge) & {
  /**
   * The password of each file, in order. An empty text for a file without one. Or a function that returns the password of
   * the file that it gets.
   */
  readonly password?: readonly string[] | AskPassword | undefined;
  /** The title of the result, for its metadata. Default: none; those of the files are not taken. */
  readonly title?: string | undefined;
};

/** A merge of one file after the other. */
export interface WholeMerge {
  /** At least two PDFs or images, in order. An image becomes a page. */
  readonly file: readonly FileInput[];
  /** A page selection for each file, in order, such as `["1-3", ""]`. An empty text selects all pages. Default: all pages. */
  readonly pages?: readonly string[] | undefined;
  /** The rotation of each file, in order, such as `[90, "", "180:last"]`. An empty text rotates nothing. Default: none. */
  readonly rotate?: readonly (Rotation | "")[] | undefined;
  /** `"odd"`: an empty page follows each file that gives an odd number of pages, for printing on both sides. Default: none. */
  readonly blank?: "odd" | undefined;
  readonly sequence?: undefined;
}

/** A merge of pages in any order. */
export interface SequenceMerge {
  /** PDFs and images, or only one. Each must have a page in the sequence. */
  readonly file: FileInput | readonly FileInput[];
  /** The pages of the result. A page may come several times. */
  readonly sequence: readonly SequenceEntry[];
  readonly pages?: undefined;
  readonly rotate?: undefined;
  readonly blank?: undefined;
}

/** The form fields of `compress-pdf`. */
export interface CompressParams {
  readonly file: FileInput;
  /** The most pixels per inch of images where they are drawn largest, from 1 to 2400. Default: 150. */
  readonly dpi?: number | undefined;
  /** The quality of JPEG images, from 0 to 1. Default: 0.75. */
  readonly quality?: number | undefined;
  /** The most bytes of the result. Lowers `dpi` down to 72 and `quality` down to 0.4 as far as needed. Default: no limit. */
  readonly max_bytes?: number | undefined;
  /** The password of a protected PDF, or a function that returns it. The result is not protected. */
  readonly password?: string | AskPassword | undefined;
}

/** The form fields of `clean-pdf`. */
export interface CleanParams {
  readonly file: FileInput;
  /** The hidden data that stays, such as `["attachments"]`. Default: none. */
  readonly keep?: readonly Cleaned[] | undefined;
  /** Whether form fields and kept annotations are drawn into the pages, so that they cannot be changed. Default: false. */
  readonly flatten?: boolean | undefined;
  /** The password of a protected PDF, or a function that returns it. The result is not protected. */
  readonly password?: string | AskPassword | undefined;
}
