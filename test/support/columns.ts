/**
 * Aligns the cells of lines in columns.
 *
 * @param isText whether a column holds text, which stands to the left. Numbers stand to the right
 */
export function columns(
  lines: readonly (readonly string[])[],
  isText: (column: number) => boolean,
): readonly string[] {
  const widths = (lines[0] ?? []).map((_, column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  );
  const padded = (cell: string, column: number) => {
    const width = widths[column] ?? 0;
    return isText(column) ? cell.padEnd(width) : cell.padStart(width);
  };
  return lines.map((line) => line.map(padded).join("  ").trimEnd());
}
