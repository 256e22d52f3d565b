import type { Row } from "./family.ts";

const CONTESTANTS = ["ours", "qpdf", "pdf-lib"] as const;

/** A line of the table: an operation of rows, and what is to come of the feature. */
export interface TableLine {
  readonly operation: string;
  readonly fate: "kept" | "dropped";
}

/** For each feature and each contestant: treated as it should be / files that have it. */
export function featureTable(rows: readonly Row[], features: readonly TableLine[]): string {
  const lines = features.flatMap(({ operation, fate }) => {
    const cells = CONTESTANTS.map((subject) => {
      const own = rows.filter((row) => row.subject === subject && row.operation === operation);
      return own.length === 0 ? undefined : `${own.filter((row) => row.passed).length} / ${own.length}`;
    });
    if (cells.every((cell) => cell === undefined)) return [];
    return [[operation, fate, ...cells.map((cell) => cell ?? "")]];
  });
  const table = [["feature", "to be", ...CONTESTANTS], ...lines];
  const width = (index: number) => Math.max(...table.map((line) => line[index]?.length ?? 0));
  return table
    .map((line) =>
      line
        .map((cell, index) => cell.padEnd(width(index)))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
