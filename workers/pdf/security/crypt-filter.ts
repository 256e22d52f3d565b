import { dictOf, nameOf, type PdfDict, type PdfObject } from "../syntax/objects.ts";

/**
 * Returns the crypt filter that a stream names (ISO 32000-2, 7.4.10). `Identity` is the default. It should be the first
 * filter. Like other readers, finds it anywhere.
 */
export function namedCryptFilter(dict: PdfDict): string | undefined {
  const at = dict.list("Filter").findIndex(isCryptFilter);
  if (at < 0) return undefined;
  return dictOf(dict.list("DecodeParms")[at])?.name("Name") ?? "Identity";
}

/** Returns a stream's dictionary without crypt filters. */
export function withoutCryptFilter(dict: PdfDict): PdfDict {
  const filters = dict.list("Filter");
  if (!filters.some(isCryptFilter)) return dict;
  const copy = dict.clone();
  for (const key of ["Filter", "DecodeParms"]) {
    const kept = dict.list(key).filter((_, index) => !isCryptFilter(filters[index]));
    if (kept.length > 0) copy.set(key, kept);
    else copy.delete(key);
  }
  return copy;
}

function isCryptFilter(filter: PdfObject | undefined): boolean {
  return nameOf(filter) === "Crypt";
}
