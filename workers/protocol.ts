import type { WireError } from "../src/errors.ts";
import type { FormatId } from "../src/formats.ts";

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

/** One job as the page hands it to a worker: plain data that structured cloning carries. */
export type Job =
  | {
      readonly engine: "pdf/protect";
      readonly file: Blob;
      readonly password: string;
      /** Random when absent. */
      readonly ownerPassword?: string;
      /** All when absent. */
      readonly permissions?: readonly Permission[];
    }
  | { readonly engine: "pdf/unlock"; readonly file: Blob; readonly password: string }
  | {
      readonly engine: "pdf/split";
      readonly file: Blob;
      /** A page selection whose syntax the page has checked. */
      readonly pages: string;
      /** What the files in the archive are called before their page numbers. */
      readonly name: string;
      readonly password?: string;
    }
  | {
      readonly engine: "pdf/rewrite";
      readonly file: Blob;
      /** All pages when absent. */
      readonly pages?: string;
      readonly password?: string;
    }
  | {
      readonly engine: "pdf/to-images";
      readonly file: Blob;
      readonly to: FormatId;
      /** What the images in an archive are called before their page numbers, where there are several. */
      readonly name: string;
      /** Dots per inch; 150 when absent. */
      readonly dpi?: number | undefined;
      /** From 0 to 1. */
      readonly quality?: number | undefined;
      readonly maxBytes?: number | undefined;
      /** The colour of the paper, one of CSS, which only a worker can check. White when absent. */
      readonly background?: string | undefined;
      /** All pages when absent. */
      readonly pages?: string | undefined;
      readonly password?: string | undefined;
      /** How many more workers it may start for the pages. The pool says it. */
      readonly helpers?: number | undefined;
      /** Where the app serves fonts. The pool says it. */
      readonly fontUrl?: string | undefined;
    }
  | {
      readonly engine: "image/convert";
      readonly file: Blob;
      readonly from: FormatId;
      readonly to: FormatId;
      /** What the images in an archive are called before their numbers, where there are several. */
      readonly name: string;
      /** From 0 to 1. */
      readonly quality?: number | undefined;
      readonly maxBytes?: number | undefined;
      /** A CSS colour, which only a worker can check. White when absent. */
      readonly background?: string | undefined;
      readonly keepMetadata?: boolean | undefined;
      /** Which images of the file; all when absent. */
      readonly pages?: string | undefined;
      /** How many more workers it may start for the tiles of a large picture. The pool says it. */
      readonly helpers?: number | undefined;
    }
  | {
      readonly engine: "image/to-pdf";
      readonly file: Blob;
      readonly from: FormatId;
      /** As large as the image is by its resolution when absent. */
      readonly pageSize?: "fit" | "a4" | "letter" | undefined;
      /** Of pictures that have to be decoded, from 0 to 1. */
      readonly quality?: number | undefined;
      readonly keepMetadata?: boolean | undefined;
      /** Which images of the file, a page each; all when absent. */
      readonly pages?: string | undefined;
      /** How many more workers it may start for the tiles of a large picture. The pool says it. */
      readonly helpers?: number | undefined;
    };

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
  /** Runs one job. `onMessage` is a comlink proxy; progress is told at most a few times a second. */
  run(job: Job, onMessage: (message: WorkerMessage) => void): Promise<Outcome>;
}
