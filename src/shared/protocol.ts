import type { WireError } from "./errors.ts";
import type { FormatId } from "./formats.ts";

/** The permissions that a user password may give (ISO 32000-2, Table 22). */
export const PERMISSIONS = [
  "print",
  "print_low",
  "modify",
  "copy",
  "annotate",
  "fill_forms",
  "assemble",
] as const;

/** One of {@link PERMISSIONS}. */
export type Permission = (typeof PERMISSIONS)[number];

/** Options of `pdf/protect`. */
export interface ProtectOptions {
  /** The user password: opens the file. At most 127 bytes of UTF-8. Readers try the empty one without asking. */
  readonly password: string;
  /** Opens the file with all permissions. Default: random. */
  readonly ownerPassword?: string | undefined;
  /** The permissions that the user password gives. Default: all. */
  readonly permissions?: readonly Permission[] | undefined;
}

/** Options of `pdf/unlock`. */
export interface UnlockOptions {
  /** The user or the owner password. It may be empty. Without one, a file that needs a password is `password_required`. */
  readonly password: string | undefined;
}

/**
 * How to split a document: by the items of a page selection, into parts of `count` pages, by the top-level entries of the
 * outline, or into parts of at most `maxBytes` bytes.
 */
export type SplitBy =
  | { readonly kind: "pages"; readonly pages: string }
  | { readonly kind: "every"; readonly count: number }
  | { readonly kind: "outline" }
  | { readonly kind: "size"; readonly maxBytes: number };

/** Options of `pdf/split`. */
export interface SplitOptions {
  readonly by: SplitBy;
  /** The files in the archive are called `<name>-<pages>.pdf`, or `<name>-<number>-<title>.pdf`. */
  readonly name: string;
  readonly password?: string | undefined;
  /** The rotation of pages of the document, as the field `rotate` says it. */
  readonly rotate?: string | undefined;
}

/** What cleaning a PDF removes, unless it is to be kept. */
export const CLEANED = ["metadata", "scripts", "attachments", "comments", "layers"] as const;

/** One of {@link CLEANED}. */
export type Cleaned = (typeof CLEANED)[number];

/** One of {@link CLEANED}, or private data of programs, thumbnails and other data that cleaning always removes. */
export type HiddenKind = Cleaned | "private";

/** Options of `pdf/clean`. */
export interface CleanOptions {
  /** What is not removed. Default: nothing. */
  readonly keep?: readonly Cleaned[] | undefined;
  /** Whether form fields and annotations are drawn into the pages. Default: false. */
  readonly flatten?: boolean | undefined;
  readonly password?: string | undefined;
}

/** Options of `pdf/inspect`. */
export interface InspectPdfOptions {
  readonly password?: string | undefined;
  /** Whether to read the outline. */
  readonly outline?: boolean | undefined;
  /** Whether to count what cleaning would remove. */
  readonly hidden?: boolean | undefined;
}

/** Options of `pdf/to-text`, and of all engines that take some pages. */
export interface PagesOptions {
  /** A page selection. Default: all pages. */
  readonly pages?: string | undefined;
  readonly password?: string | undefined;
}

/** Options of `pdf/compress`. */
export interface CompressOptions {
  /** The most pixels per inch of images where they are drawn largest. Default: 150. With `maxBytes`, the most to use. */
  readonly dpi?: number | undefined;
  /** The quality of JPEGs, from 0 to 1. Default: 0.75. With `maxBytes`, the highest to use. */
  readonly quality?: number | undefined;
  /** The most bytes of the output. */
  readonly maxBytes?: number | undefined;
  readonly password?: string | undefined;
}

/** Options of `pdf/repair`, and of all engines that rotate pages. */
export interface RotatedPagesOptions extends PagesOptions {
  /** The rotation of pages of the document, as the field `rotate` says it. Default: none. */
  readonly rotate?: string | undefined;
}

/** A file of a call, with what its operation needs to know. */
export interface Input {
  readonly file: Blob;
  /** The file name without folder and extension. */
  readonly name: string;
  /** The format of the content. */
  readonly format: FormatId;
}

/** A page of a merged document. */
export interface SequenceEntry {
  /** The place of its file in the list of files, from 0. */
  readonly file: number;
  /** The number of the page in the file, from 1. */
  readonly page: number;
  /** A clockwise rotation, in addition to that of the file. Default: 0. */
  readonly rotate?: 0 | 90 | -90 | 180 | undefined;
}

/** Options of `pdf/merge`. */
export interface MergeOptions {
  /** PDFs and images. The name of each becomes the title of its outline item. */
  readonly inputs: readonly (Input & RotatedPagesOptions)[];
  /** The pages of the output. Default: those of the inputs, one input after the other. */
  readonly sequence?: readonly SequenceEntry[] | undefined;
  /** Adds an empty page after an input that gives an odd number of pages. Default: no pages. */
  readonly blank?: "odd" | undefined;
  /** The title of the output. Default: none. */
  readonly title?: string | undefined;
}

/** Options of `image/inspect`. */
export interface InspectImageOptions {
  readonly from: FormatId;
}

/** Options of all engines that make image files. */
interface ImagesOptions {
  readonly to: FormatId;
  /** The images in an archive are called `<name>-<number>.<to>`, with the page number for a PDF. */
  readonly name: string;
  /** The quality of a lossy format, from 0 to 1. With `maxBytes`, the highest quality to use. */
  readonly quality?: number | undefined;
  /** The most bytes that each image may have. */
  readonly maxBytes?: number | undefined;
  /** The most pixels of each image across and down. A larger image is scaled down. */
  readonly maxWidth?: number | undefined;
  readonly maxHeight?: number | undefined;
  /**
   * The CSS color of the paper, or behind transparent parts if the output has no transparency. Only a worker can check
   * it. Default: white.
   */
  readonly background?: string | undefined;
}

/** Options of `pdf/to-images`. */
export interface PdfToImagesOptions extends ImagesOptions, RotatedPagesOptions {
  /** Dots per inch. Default: 150. */
  readonly dpi?: number | undefined;
}

/** Options of `pdf/render`. */
export interface RenderPagesOptions extends PagesOptions {
  readonly to: FormatId;
  /** The width of each picture in pixels. Default: as `dpi` says. */
  readonly width?: number | undefined;
  /** Dots per inch. Default: 150. */
  readonly dpi?: number | undefined;
}

/** Options of `image/convert`. */
export interface ConvertImageOptions extends ImagesOptions {
  readonly from: FormatId;
  /** Whether to keep EXIF, XMP and the color profile. */
  readonly keepMetadata?: boolean | undefined;
  /** Which images of the file, as a page selection. Default: all. */
  readonly pages?: string | undefined;
  /** The rotation of images after their orientation, as the field `rotate` says it. Default: none. */
  readonly rotate?: string | undefined;
}

/** The size of a page of the PDF: the size of the image at its resolution, or a paper size. */
export type PageSize = "fit" | "a4" | "letter";

/** Options of `image/to-pdf`. */
export interface ImageToPdfOptions {
  /** The images, in order. Their formats may differ. */
  readonly inputs: readonly Input[];
  /** Default: `fit`. */
  readonly pageSize?: PageSize | undefined;
  /** If there is one input: which of its images, one page each, as a page selection. Default: all. */
  readonly pages?: string | undefined;
  /** The rotation of the images of each file, after their orientation, as the field `rotate` says it. Default: none. */
  readonly rotate?: string | undefined;
  /** Whether a JPEG keeps its EXIF, and the XMP of the image becomes that of the document. */
  readonly keepMetadata?: boolean | undefined;
  /**
   * From 0 to 1: opaque pictures that must be decoded become JPEGs of this quality. Default: pictures stay exact. JPEG
   * and PNG files are embedded without decoding where PDF allows it.
   */
  readonly quality?: number | undefined;
}

/** The options of each engine. */
export interface EngineOptions {
  readonly "pdf/protect": ProtectOptions;
  readonly "pdf/unlock": UnlockOptions;
  readonly "pdf/split": SplitOptions;
  readonly "pdf/split-parts": SplitOptions;
  readonly "pdf/repair": RotatedPagesOptions;
  readonly "pdf/merge": MergeOptions;
  readonly "pdf/compress": CompressOptions;
  readonly "pdf/clean": CleanOptions;
  readonly "pdf/inspect": InspectPdfOptions;
  readonly "pdf/to-images": PdfToImagesOptions;
  readonly "pdf/render": RenderPagesOptions;
  readonly "pdf/to-text": PagesOptions;
  readonly "pdf/read-text": PagesOptions;
  readonly "image/inspect": InspectImageOptions;
  readonly "image/convert": ConvertImageOptions;
  readonly "image/to-pdf": ImageToPdfOptions;
}

/** The properties of a file, read without converting it. A property that does not apply, or is not known, is absent. */
export interface Inspection {
  /** The format of the content. */
  readonly format: FormatId;
  /** The size of the file in bytes. */
  readonly size: number;
  /** PDF: the number of pages. Not known for a PDF of more than 100 MB whose page tree has more than 1,000 nodes. */
  readonly pages?: number | undefined;
  /**
   * The sizes of the pages of a PDF, in points of 1/72 inch, or of the images of an image file, in pixels. As shown:
   * after crop and rotation. At most the first 100, in a PDF of more than 100 MB the first 10.
   */
  readonly page_sizes?: readonly ShownSize[] | undefined;
  /** Image: the number of images in the file. A HEIC or a TIFF may have several. */
  readonly images?: number | undefined;
  /** PDF: whether it is encrypted. */
  readonly encrypted?: boolean | undefined;
  /** Encrypted PDF: whether it opens without a password. If not, most of what follows is known only with the password. */
  readonly opens_with_empty_password?: boolean | undefined;
  /** Encrypted PDF: the permissions of a reader without the owner password. */
  readonly permissions?: readonly Permission[] | undefined;
  /** PDF: the title of the document. */
  readonly title?: string | undefined;
  /** PDF: whether it has an outline ("bookmarks"). */
  readonly has_outline?: boolean | undefined;
  /**
   * PDF, with `outline: true`: the entries of the outline that lead to pages of the document, each before the entries
   * below it. At most the first 10,000. Absent if the outline cannot be read.
   */
  readonly outline?: readonly OutlineEntry[] | undefined;
  /** PDF, with `hidden: true`: what `cleanPdf` would remove. Absent if it cannot be read. */
  readonly hidden?: HiddenData | undefined;
  /** PDF: whether it has form fields. A field for a signature is one. */
  readonly has_form?: boolean | undefined;
  /** PDF: whether it has a signature. Inspecting does not check whether the signature is valid. */
  readonly is_signed?: boolean | undefined;
}

/** How many places of a PDF hold what cleaning removes. What is in a place that counts is not counted by itself. */
export type HiddenData = Readonly<Record<HiddenKind, number>> & {
  /** Whether changes were appended to the file, so that it has earlier revisions of what has changed. */
  readonly earlier_revisions: boolean;
};

/** An entry of the outline ("bookmarks") of a PDF. A split `by: "outline"` makes a file for each with the level 1. */
export interface OutlineEntry {
  /** The title, which may be empty. A very long one is cut. */
  readonly title: string;
  /** The number of the page that it leads to, from 1. An entry without a page has that of the first entry below it. */
  readonly page: number;
  /** 1 at the top, 2 below an entry of the top, and so on. */
  readonly level: number;
}

/** A width and a height. */
export interface ShownSize {
  readonly width: number;
  readonly height: number;
}

/** The return values of the engines that make no file. */
export interface EngineValues {
  readonly "pdf/inspect": Inspection;
  /** Parts, pages and texts are delivered during the job. */
  readonly "pdf/split-parts": null;
  readonly "pdf/render": null;
  readonly "pdf/read-text": null;
  readonly "image/inspect": Inspection;
}

/** The name of an engine. */
export type Engine = keyof EngineOptions;

/** The name of an engine that makes a file. */
export type FileEngine = Exclude<Engine, keyof EngineValues>;

/** The output of a job: a value or a file. */
export type Output<Name extends Engine> = Name extends keyof EngineValues ? EngineValues[Name] : Blob;

/**
 * One job for a worker: plain data that structured cloning carries. The page has checked the syntax of page selections.
 */
export type Job<Name extends Engine = Engine> = {
  [Each in Name]: JobInput & { readonly engine: Each } & EngineOptions[Each];
}[Name];

/** The input of a job. */
interface JobInput {
  /** The first file. An engine with several has all of them as `inputs` in its options. */
  readonly file: Blob;
}

/** The resources that the pool gives a job. */
export interface Grant {
  /** How many more workers the job may start. */
  readonly helpers: number;
  /** The page's `navigator.maxTouchPoints`, which workers do not have. */
  readonly touchPoints?: number | undefined;
  /** The folder of the files that the worker loads, as an absolute URL. Default: where the bundler has put them. */
  readonly assetUrl?: string | undefined;
  /** The folder where the app serves fonts, as an absolute URL. Default: the folder `fonts` beside the worker. */
  readonly fontUrl?: string | undefined;
}

/** The phase of a call. Only the page reports `queued`, `uploading` and `downloading`. */
export type Phase = "queued" | "reading" | "working" | "writing" | "uploading" | "downloading";

/** The progress of a call: `done` of `total` bytes or pages. `total` is 0 when unknown. */
export interface Progress {
  readonly phase: Phase;
  readonly done: number;
  readonly total: number;
  /**
   * PDF to image: fonts that the document uses without containing them, and for which there is no replacement. Text in
   * these fonts is missing in the pictures. See the option `fontUrl` of the client.
   */
  readonly missingFonts?: readonly string[];
}

/**
 * A time limit that the worker announces before it runs code that may never return. The page ends the worker after this
 * active time, unless the worker has replaced or withdrawn the limit. Progress does not extend it. The job fails with
 * `error`.
 */
export interface Deadline {
  readonly milliseconds: number;
  readonly error: WireError;
}

/** The picture of a page. */
export interface RenderedPage {
  /** The number of the page in the document, from 1. */
  readonly page: number;
  /** The picture as a file. */
  readonly blob: Blob;
  /** The width of the picture in pixels. */
  readonly width: number;
  /** The height of the picture in pixels. */
  readonly height: number;
}

/** A word and its place on the page as `renderPages` draws it: in points of 1/72 inch from the top left corner. */
export interface TextWord {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  /** Of a rotated word, the width and the height of the upright box around it. */
  readonly width: number;
  readonly height: number;
}

/** The text of a page. */
export interface PageText {
  /** The number of the page in the document, from 1. */
  readonly page: number;
  /** In the order of the content. A line ends with `\n`. A character without a known meaning is U+FFFD. */
  readonly text: string;
  /** A word that is divided at the end of a line is two words, of which the first ends with a hyphen. */
  readonly words: readonly TextWord[];
  /** Whether the text has characters to which the PDF gives no meaning. */
  readonly unknown: boolean;
}

/** A PDF of a split. */
export interface SplitPart {
  /** The PDF, with the name that it has in the zip of `splitPdf`. */
  readonly file: File;
  /** The numbers of its pages in the document, from 1, in their order. */
  readonly pages: readonly number[];
}

/** What engines deliver during a job, one by one. */
export interface EngineDeliveries {
  readonly "pdf/render": RenderedPage;
  readonly "pdf/split-parts": SplitPart;
  readonly "pdf/read-text": PageText;
}

/** The name of an engine that delivers. */
export type DeliveringEngine = keyof EngineDeliveries;

/** What an engine delivers; `never` for an engine that delivers nothing. */
export type Delivery<Name extends Engine = Engine> = Name extends DeliveringEngine
  ? EngineDeliveries[Name]
  : never;

/** A message of a worker during a job. */
export type WorkerMessage =
  | Progress
  | { readonly deadline: Deadline | undefined }
  | { readonly delivered: Delivery };

/**
 * How a job ended. Errors are values, because comlink keeps only the message of a thrown `Error`. The MIME type of the
 * file shows whether it is an archive. The page needs it for the file name.
 */
export type Outcome =
  | { readonly ok: true; readonly file: Blob }
  | { readonly ok: true; readonly value: EngineValues[keyof EngineValues] }
  | { readonly ok: false; readonly error: WireError };

/**
 * What a worker delivers, in a message of its own. A Blob that goes through a message port instead cannot be read in parts in
 * Firefox 153, if it is in memory and has more than a megabyte.
 */
export interface DeliveryMessage {
  readonly stayputDelivery: Delivery;
}

/** The interface of the worker over comlink. */
export interface WorkerApi {
  /**
   * Runs one job. The worker posts each {@link WorkerMessage} to `page`, progress a few times a second at most, and a
   * delivery as a {@link DeliveryMessage}. The page answers over `page`: to a delivery whether the caller wants more, as soon as
   * the caller has taken this one, and `null` to other messages. No proxy of comlink leads to the page: it would give the
   * worker every property of its object, and so the constructor of functions.
   */
  run(job: Job, grant: Grant, page: MessagePort): Promise<Outcome>;
}
