import type { Failed } from "../contest.ts";

/** What every contestant is asked for. */
export const OPERATIONS = ["protect", "unlock", "split", "every page"] as const;
export type BenchOperation = (typeof OPERATIONS)[number];

/** What opens the protected document. */
export const PASSWORD = "bench";

/** One piece of work for a contestant. */
export interface Task {
  readonly operation: BenchOperation;
  readonly input: string;
  /** An empty folder for what the work makes: PDFs, or an archive of them. */
  readonly output: string;
  readonly pageCount: number;
  /** Whether the output has to be in the folder in the end, to be looked at; it always may be. */
  readonly isChecked: boolean;
  /** Whether the input is so small that what a browser takes by itself is worth telling. */
  readonly isSmall?: boolean;
  readonly timeLimitMs: number;
}

/** The page selection of a split; for `every page` each is a file of its own. */
export function selectionFor({ operation, pageCount }: Pick<Task, "operation" | "pageCount">): string {
  return operation === "every page" ? "all" : `1-${pagesOfSplit(pageCount)}`;
}

/** The first ten pages, or all when there are fewer. */
export function pagesOfSplit(pageCount: number): number {
  return Math.min(10, pageCount);
}

/** The memory of one process: before the work, 0 for one that was started for it, and the most during it. */
export interface ProcessMemory {
  readonly process: string;
  readonly idleBytes: number;
  readonly peakBytes: number;
}

/** How one piece of work went. */
export type Run =
  | {
      readonly kind: "done";
      /** From the call, with the input on the disk, until every byte of the output can be read. */
      readonly milliseconds: number;
      /** The same for the first call of a new client, where there is one. */
      readonly coldMilliseconds?: number | undefined;
      /** The same for a worker in the browser that does nothing with the input, where that was measured. */
      readonly idleMilliseconds?: number | undefined;
      /** What reading all of the output took afterwards, where that was done. */
      readonly readBackMilliseconds?: number | undefined;
      readonly outputBytes: number;
      /** The process that does the work comes first. */
      readonly memory: readonly ProcessMemory[];
    }
  | Failed;

export type DoneRun = Extract<Run, { kind: "done" }>;

/** The contestants, in the order in which they take their turns. `before` is another build, in Chromium. */
export const CONTESTANTS = [
  "native",
  "node",
  "chromium",
  "before",
  "firefox",
  "webkit",
  "cantoo",
  "qpdf-wasm",
  "pdfium",
] as const;
export type ContestantName = (typeof CONTESTANTS)[number];

/** Someone who can do the work. */
export interface Contestant {
  readonly name: ContestantName;
  /** Does the work once. Never rejects, and ends in time. */
  run(task: Task): Promise<Run>;
  close(): Promise<void>;
}
