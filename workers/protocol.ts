import type { WireError } from "../src/errors.ts";

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
    };

/** What a call is doing; `queued`, `uploading` and `downloading` belong to the page. */
export type Phase = "queued" | "reading" | "working" | "writing" | "uploading" | "downloading";

/** How far a call has come: `done` of `total` bytes or pages, `total` 0 when unknown. */
export interface Progress {
  readonly phase: Phase;
  readonly done: number;
  readonly total: number;
}

/** How a job ended. A value, not a throw: comlink drops what an `Error` carries beyond its message. */
export type Outcome =
  | { readonly ok: true; readonly file: Blob }
  | { readonly ok: false; readonly error: WireError };

/** What the worker exposes over comlink. */
export interface WorkerApi {
  /** Runs one job. `onProgress` is a comlink proxy, called at most a few times a second. */
  run(job: Job, onProgress: (progress: Progress) => void): Promise<Outcome>;
}
