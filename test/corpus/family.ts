import type { Tool } from "../support/native-tools.ts";
import type { CorpusRun } from "./corpus-run.ts";
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
  /** Whether native qpdf and `@cantoo/pdf-lib` split and merge, too, for comparison. */
  readonly peers: boolean;
}

/** One check of one file: the operation, the subject and the verdict of the native programs. */
export interface Row {
  /** The subject: `node`, `ours`, a browser or a peer. */
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
  /** The native programs without which the family is skipped. */
  readonly tools: readonly Tool[];
  /** Whether the family is skipped without Chromium. */
  readonly needsChromium?: boolean;
  accepts(entry: ManifestEntry): boolean;
  /** Runs every operation on every file, and calls `onRow` for each check. */
  examine(entries: readonly ManifestEntry[], run: CorpusRun): Promise<void>;
}

/** A check of one file. It passes when there is no reason against it. */
export function rowOf(
  check: Pick<Row, "subject" | "operation" | "file" | "why"> & Partial<Omit<Row, "passed">>,
): Row {
  return { disaster: undefined, milliseconds: 0, ...check, passed: check.why === "" };
}

/** Accepts the PDFs of the corpus. */
export function isPdf({ file }: ManifestEntry): boolean {
  return file.toLowerCase().endsWith(".pdf");
}
