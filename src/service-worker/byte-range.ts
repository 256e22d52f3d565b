/** Some bytes of a file, from the first to the last, both counted from 0. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/**
 * The part of a file that a `Range` header asks for (RFC 9110, 14.1.2): nothing when it asks for none that is given
 * (several at once, another unit), which means the whole file, and `"unsatisfiable"` when there are no such bytes.
 */
export function byteRange(header: string | null, size: number): ByteRange | "unsatisfiable" | undefined {
  const [, from, to] = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(header ?? "") ?? [];
  if (from === undefined || to === undefined || from + to === "") return undefined;
  const first = from === "" ? Math.max(0, size - Number(to)) : Number(from);
  const last = from === "" || to === "" ? size - 1 : Math.min(Number(to), size - 1);
  if (from !== "" && to !== "" && Number(to) < first) return undefined;
  return first > last ? "unsatisfiable" : { first, last };
}
