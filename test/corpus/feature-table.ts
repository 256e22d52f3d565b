import { columns } from "../support/columns.ts";
import type { Row } from "./family.ts";

/** A line of the table: an operation of rows, and what is to come of the feature. */
export interface TableLine {
  readonly operation: string;
  readonly fate: "kept" | "dropped";
}

/** For each feature and each contestant: treated as it should be / files that have it. */
export function featureTable(rows: readonly Row[], features: readonly TableLine[]): string {
  const contestants = [...new Set(rows.map(({ subject }) => subject))];
  const lines = features.flatMap(({ operation, fate }) => {
    const cells = contestants.map((subject) => {
      const own = rows.filter((row) => row.subject === subject && row.operation === operation);
      return own.length === 0 ? "" : `${own.filter((row) => row.passed).length} / ${own.length}`;
    });
    return cells.some(Boolean) ? [[operation, fate, ...cells]] : [];
  });
  return columns([["feature", "to be", ...contestants], ...lines], () => true).join("\n");
}
