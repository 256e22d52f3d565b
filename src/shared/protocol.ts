import type { WireError } from "./errors.ts";
import type { FormatId } from "./formats.ts";

/** What may be allowed to someone who opens a protected PDF with the user password (ISO 32000-2, Table 22). */
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

/** How a PDF is protected. */
export interface ProtectOptions {
  /** Opens the file. At most 127 bytes of UTF-8. */
  readonly password: string;
  /** Opens the file with all permissions. Random when absent. */
  readonly ownerPassword?: string | undefined;
  /** What someone with the user password may do; all when absent. */
  readonly permissions?: readonly Permission[] | undefined;
}

/** How a PDF is unlocked. */
export interface UnlockOptions {
  /** The user's or the owner's; the empty password is one, too. */
  readonly password: string;
}

/** How a PDF is split. */
export interface SplitOptions {
  /** A page selection, each item of which becomes one document. */
  readonly pages: string;
  /** What the files in the archive are called before their page numbers. */
  readonly name: string;
  readonly password?: string | undefined;
}

/** How a PDF is written anew. */
export interface NormalizeOptions {
  /** A page selection; all pages when absent. */
  readonly pages?: string | undefined;
  readonly password?: string | undefined;
}

/** What is asked of images, whatever they are made of. */
interface ImagesOptions {
  readonly to: FormatId;
  /** What the images in an archive are called before their numbers, which are those of their pages in a PDF. */
  readonly name: string;
  /** Of a lossy format, from 0 to 1; at most this when there is a limit too. */
  readonly quality?: number | undefined;
  /** How long each image may be. */
  readonly maxBytes?: number | undefined;
}

/** How a PDF's pages become images. */
export interface PdfToImagesOptions extends ImagesOptions {
  /** Dots per inch; 150 when absent. */
  readonly dpi?: number | undefined;
  /** The color of the paper, one of CSS, which only a worker can check. White when absent. */
  readonly background?: string | undefined;
  /** A page selection; all pages when absent. */
  readonly pages?: string | undefined;
  readonly password?: string | undefined;
}

/** How an image is converted. */
export interface ConvertImageOptions extends ImagesOptions {
  readonly from: FormatId;
  /**
   * A CSS color for behind transparent parts, where the output has none; only a worker can check it. White when
   * absent.
   */
  readonly background?: string | undefined;
  /** Whether EXIF, XMP and color profile are carried over. */
  readonly keepMetadata?: boolean | undefined;
  /** Which images of the file; all when absent. */
  readonly pages?: string | undefined;
}

/** The sizes that a page of the PDF may have: that of the image by its resolution, or a paper. */
export type PageSize = "fit" | "a4" | "letter";

/** How images become a PDF. */
export interface ImageToPdfOptions {
  readonly from: FormatId;
  /** `fit` when absent. */
  readonly pageSize?: PageSize | undefined;
  /** Which images of the file, a page each; all when absent. */
  readonly pages?: string | undefined;
  /** Whether a JPEG keeps its EXIF, and XMP becomes the document's. */
  readonly keepMetadata?: boolean | undefined;
  /**
   * From 0 to 1: pictures that have to be decoded, and are opaque, go in as JPEGs of this quality. When absent, they
   * go in exactly. JPEG and PNG go in as they are.
   */
  readonly quality?: number | undefined;
}

/** The options of each engine. */
export interface EngineOptions {
  readonly "pdf/protect": ProtectOptions;
  readonly "pdf/unlock": UnlockOptions;
  readonly "pdf/split": SplitOptions;
  readonly "pdf/normalize": NormalizeOptions;
  readonly "pdf/to-images": PdfToImagesOptions;
  readonly "image/convert": ConvertImageOptions;
  readonly "image/to-pdf": ImageToPdfOptions;
}

/** The name of an engine. */
export type Engine = keyof EngineOptions;

/**
 * One job for a worker: plain data that structured cloning carries. The page has checked the syntax of page selections.
 */
export type Job<Name extends Engine = Engine> = {
  [Each in Name]: JobInput & { readonly engine: Each } & EngineOptions[Each];
}[Name];

/** The input of a job. */
interface JobInput {
  readonly file: Blob;
  /** The bytes of `file`, if the page has read them. They are transferred to the worker. */
  readonly content?: ArrayBuffer | undefined;
}

/** What a pool gives each job besides the job itself. */
export interface Grant {
  /** How many more workers the job may start. */
  readonly helpers: number;
  /** The page's `navigator.maxTouchPoints`, which workers do not have. */
  readonly touchPoints?: number | undefined;
  /** The folder where the app serves fonts, as an absolute URL. Default: the folder `fonts` beside the worker. */
  readonly fontUrl?: string | undefined;
}

/** What a call is doing; `queued`, `uploading` and `downloading` belong to the page. */
export type Phase = "queued" | "reading" | "working" | "writing" | "uploading" | "downloading";

/** How far a call has come: `done` of `total` bytes or pages, `total` 0 when unknown. */
export interface Progress {
  readonly phase: Phase;
  readonly done: number;
  readonly total: number;
  /**
   * PDF to image, where it happens: the fonts that the document names, does not hold, and nothing stands in for. Text
   * in them is not in the pictures. See the client's option `fontUrl`.
   */
  readonly missingFonts?: readonly string[];
}

/** After how long a silence the page is to end the worker, and what its job then fails with. */
export interface Deadline {
  readonly milliseconds: number;
  readonly error: WireError;
}

/** What a worker tells the page while it works. */
export type WorkerMessage = Progress | { readonly deadline: Deadline | undefined };

/**
 * How a job ended. A value, not a throw: comlink drops what an `Error` carries beyond its message. The file's type
 * tells what was made: several images come as one archive, and the page names it accordingly.
 */
export type Outcome =
  | { readonly ok: true; readonly file: Blob }
  | { readonly ok: false; readonly error: WireError };

/** What the worker exposes over comlink. */
export interface WorkerApi {
  /** Runs one job. `onMessage` is a comlink proxy. It gets progress a few times a second at most. */
  run(job: Job, grant: Grant, onMessage: (message: WorkerMessage) => void): Promise<Outcome>;
}
