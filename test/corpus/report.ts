import { columns } from "../support/columns.ts";
import type { Row } from "./family.ts";

const TARGET_PERCENT = 99;
/** The time limit of an operation. */
const TIME_LIMIT_MS = 10_000;

/** A target of the corpus, and whether it is met. */
export interface Target {
  readonly name: string;
  readonly met: boolean;
  readonly detail: string;
}

function groupBy<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
): ReadonlyMap<string, readonly Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return groups;
}

function percentOf(rows: readonly Row[]): number {
  return (100 * rows.filter((row) => row.passed).length) / rows.length;
}

const byOperation = (row: Row) => `${row.subject}: ${row.operation}`;

/** The targets: at least 99 % of each operation, no disaster and no operation over the time limit. */
export function targetsOf(all: readonly Row[]): readonly Target[] {
  const rows = all.filter((row) => !row.isPeer);
  const operations = [...groupBy(rows, byOperation)].map(([name, group]) => ({
    name,
    met: percentOf(group) >= TARGET_PERCENT,
    detail: `${percentOf(group).toFixed(1)} %, target ${TARGET_PERCENT} %`,
  }));
  const subjects = [...groupBy(rows, (row) => row.subject)].flatMap(([subject, group]) => {
    const disasters = group.filter((row) => row.disaster !== undefined).length;
    const slow = group.filter((row) => row.milliseconds > TIME_LIMIT_MS).length;
    return [
      {
        name: `${subject}: nothing hangs, crashes, runs out of memory or fails without a typed error`,
        met: disasters === 0,
        detail: `${disasters} did`,
      },
      { name: `${subject}: everything ends within 10 s`, met: slow === 0, detail: `${slow} did not` },
    ];
  });
  return [...operations, ...subjects];
}

/** A table with one line for each operation, then one line for each failed check. */
export function tableOf(all: readonly Row[]): string {
  const rows = all.filter((row) => !row.isPeer);
  const lines = [["subject: operation", "passed", "of", "percent", "slowest"]];
  for (const [name, group] of groupBy(rows, byOperation)) {
    const slowest = group.reduce((slow, row) => (row.milliseconds > slow.milliseconds ? row : slow));
    lines.push([
      name,
      String(group.filter((row) => row.passed).length),
      String(group.length),
      `${percentOf(group).toFixed(1)} %`,
      `${slowest.milliseconds.toFixed(0)} ms ${slowest.file}`,
    ]);
  }
  const misses = rows
    .filter((row) => !row.passed)
    .map((row) => `MISS  ${row.subject}  ${row.operation}  ${row.file}: ${oneLine(row.why)}`);
  return [
    ...columns(lines, (column) => column === 0 || column === 4),
    ...(misses.length > 0 ? [""] : []),
    ...misses,
  ].join("\n");
}

/** The start of a text in one line, for logs. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").slice(0, 300);
}
