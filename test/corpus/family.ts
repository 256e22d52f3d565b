import type { ManifestEntry } from "./manifest.ts";

/** What a run of the corpus is asked to do. */
export interface RunSettings {
  readonly directory: string;
  /** How many PDFs also go through the real client in Chromium; 0 for none. */
  readonly browserSample: number;
  /** How many files of a kind go through the real client in Firefox and in WebKit; 0 for none. */
  readonly otherBrowsersSample: number;
  /** How many files are drawn; all by default. */
  readonly sample: number;
  /** Into how many formats each image is converted; the next one into the next so many, all round. */
  readonly formats: number;
  /** Compares what the first pages look like, too, beyond what the targets ask for. */
  readonly pictures: boolean;
  /** Native programs stand in for our engine: proves the comparison itself. */
  readonly reference: boolean;
}

/** One check of one file: what was done to it, by whom, and whether the witnesses agree. */
export interface Row {
  /** Who did the work: `node`, a browser, or a native program in `--reference`. */
  readonly subject: string;
  /** Whether that is someone whom we are only compared with: no target counts the check. */
  readonly isPeer?: boolean;
  /** The line of the table that the check counts in. */
  readonly operation: string;
  readonly file: string;
  readonly passed: boolean;
  /** Why it did not pass, in a few words; empty when it did. */
  readonly why: string;
  /** The worst ways to fail, which no target excuses. */
  readonly disaster: "hung" | "crashed" | "untyped error" | "out of memory" | undefined;
  readonly milliseconds: number;
}

/** One kind of files, and how its operations are judged. A new kind is one more of these. */
export interface CorpusFamily {
  readonly name: string;
  accepts(entry: ManifestEntry): boolean;
  /** Does every operation on every file; `onRow` hears of each check as it is made. */
  examine(entries: readonly ManifestEntry[], settings: RunSettings, onRow: (row: Row) => void): Promise<void>;
}
