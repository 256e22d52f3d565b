/** What every contestant does. */
export const OPERATIONS = ["protect", "unlock", "split"] as const;
export type BenchOperation = (typeof OPERATIONS)[number];

/** What opens the protected document. */
export const PASSWORD = "bench";

/** The pages of the split: one file of ten, or of all when there are fewer. */
export function pagesToSplit(pageCount: number): string {
  return `1-${Math.min(10, pageCount)}`;
}

/** One piece of work for a contestant. */
export interface Task {
  readonly operation: BenchOperation;
  readonly input: string;
  readonly output: string;
  /** For the split. */
  readonly pages: string;
}

/** How one piece of work went. */
export interface Measurement {
  readonly milliseconds: number;
  /** The most memory taken at any time; 0 where the system does not tell. */
  readonly peakBytes: number;
  readonly outputBytes: number;
}

/** Someone who can do the work. */
export interface Contestant {
  readonly name: string;
  run(task: Task): Promise<Measurement>;
  close(): Promise<void>;
}

/** The middle one; of an even number, the lower of the two. */
export function median(values: readonly number[]): number {
  return [...values].sort((one, other) => one - other)[Math.floor((values.length - 1) / 2)] ?? Number.NaN;
}
