import type { ManifestEntry } from "./manifest.ts";

/** The settings of a corpus run. */
export interface RunSettings {
  readonly directory: string;
  /** How many PDFs the real client in Chromium also processes. */
  readonly browserSample: number;
  /** How many files of a kind the real client in Firefox and in WebKit processes. */
  readonly otherBrowsersSample: number;
  /** How many files are drawn or read as text, and how many merges are made; all by default. */
  readonly sample: number;
  /** To how many formats each image is converted. The next image takes the next formats in turn. */
  readonly formats: number;
  /** Whether first pages are also compared as pictures, which no target needs. */
  readonly pictures: boolean;
  /** Whether native programs replace our engine. This tests the comparison itself. */
  readonly reference: boolean;
}

/** One check of one file: the operation, the subject and the verdict of the native programs. */
export interface Row {
  /** The subject: `node`, a browser, or a native program with `--reference`. */
  readonly subject: string;
  /** Whether the subject is a peer for comparison. No target counts its checks. */
  readonly isPeer?: boolean;
  /** The line of the table to which the check belongs. */
  readonly operation: string;
  readonly file: string;
  readonly passed: boolean;
  /** The reason of a failure in a few words. Empty when the check passed. */
  readonly why: string;
  /** The kinds of failure that no target allows. */
  readonly disaster: "hung" | "crashed" | "untyped error" | "out of memory" | undefined;
  readonly milliseconds: number;
}

/** A kind of files, and how its operations are judged. */
export interface CorpusFamily {
  readonly name: string;
  accepts(entry: ManifestEntry): boolean;
  /** Runs every operation on every file. Calls `onRow` for each check. */
  examine(entries: readonly ManifestEntry[], settings: RunSettings, onRow: (row: Row) => void): Promise<void>;
}
