import type { PdfDict, PdfObject } from "../syntax/objects.ts";

/** A new value of an entry; undefined to remove the entry. */
export type Change = readonly [key: string, value: PdfObject | undefined];

export const NO_CHANGES: readonly Change[] = [];

/** Returns a dictionary with changes; the same dictionary when there are none. */
export function withChanges(dict: PdfDict, changes: readonly Change[]): PdfDict {
  if (changes.length === 0) return dict;
  const copy = dict.clone();
  for (const [key, value] of changes) {
    if (value === undefined) copy.delete(key);
    else copy.set(key, value);
  }
  return copy;
}

/** Returns changes that remove the entries that a dictionary has of those. */
export function without(dict: PdfDict, keys: readonly string[]): Change[] {
  return keys.flatMap((key): Change[] => (dict.has(key) ? [[key, undefined]] : []));
}
