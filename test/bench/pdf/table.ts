import type { ResultRow } from "./result-rows.ts";
import type { ProcessMemory } from "./task.ts";

const MEGABYTE = 1_000_000;
const WIDTHS = [15, 11, 15, 10, 7, 14, 40, 11] as const;
/** The columns of text; the others are numbers, which stand to the right. */
const TEXT_COLUMNS: ReadonlySet<number> = new Set([0, 1, 2, 5, 6]);

export const HEADINGS = line(["input", "operation", "by", "time", "ratio", "target", "memory", "output"]);

/** One line of the table, so wide that lines printed one by one stand under each other. */
export function tableLine(row: ResultRow): string {
  const by = row.warmth === "warm" ? row.by : `${row.by}, ${row.warmth}`;
  const start = [row.input, row.operation, by];
  if (row.kind === "failed") return `${line(start)}failed: ${row.why}`;
  return line([
    ...start,
    milliseconds(row.milliseconds),
    row.ratio === undefined ? "–" : row.ratio.toFixed(row.ratio < 0.1 ? 3 : 2),
    row.time === undefined ? "" : `${row.time.verdict} ${row.time.limit}`,
    row.memory.map(memory).join(", ") + (row.memoryVerdict === undefined ? "" : ` ${row.memoryVerdict}`),
    megabytes(row.outputBytes),
  ]);
}

/** `12.3 ms`; without what does not matter in large numbers. */
export function milliseconds(value: number): string {
  return `${value.toFixed(value < 100 ? 1 : 0)} ms`;
}

/** `12 MB`. */
export function megabytes(bytes: number): string {
  return `${(bytes / MEGABYTE).toFixed(bytes < 10 * MEGABYTE ? 1 : 0)} MB`;
}

/** All that a process of its own takes; of a browser's, which do other things as well, what is added. */
function memory({ process, idleBytes, peakBytes }: ProcessMemory): string {
  const isShared = process === "renderer" || process === "browser";
  return isShared ? `${process} +${megabytes(peakBytes - idleBytes)}` : megabytes(peakBytes);
}

function line(cells: readonly string[]): string {
  return cells
    .map((cell, column) => {
      const width = WIDTHS[column] ?? 0;
      return TEXT_COLUMNS.has(column) ? cell.padEnd(width) : cell.padStart(width);
    })
    .join("  ")
    .trimEnd();
}
