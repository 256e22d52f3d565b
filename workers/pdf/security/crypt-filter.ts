import { PdfDict, PdfName, type PdfObject, type Resolve } from "../syntax/objects.ts";

/**
 * Returns the crypt filter that a stream names (ISO 32000-2, 7.4.10). `Identity` is the default. It should be the first
 * filter. Like other readers, finds it anywhere.
 */
export function namedCryptFilter(dict: PdfDict, resolve: Resolve): string | undefined {
  const at = listOf(dict.get("Filter"), resolve).findIndex((filter) => isCryptFilter(filter, resolve));
  if (at < 0) return undefined;
  const parameters = resolve(listOf(dict.get("DecodeParms"), resolve)[at]);
  const name = parameters instanceof PdfDict ? resolve(parameters.get("Name")) : undefined;
  return name instanceof PdfName ? name.value : "Identity";
}

/** Returns a stream's dictionary without crypt filters. */
export function withoutCryptFilter(dict: PdfDict, resolve: Resolve): PdfDict {
  const filters = listOf(dict.get("Filter"), resolve);
  if (!filters.some((filter) => isCryptFilter(filter, resolve))) return dict;
  const copy = dict.clone();
  for (const key of ["Filter", "DecodeParms"]) {
    const list = listOf(dict.get(key), resolve);
    const kept = list.filter((_, index) => !isCryptFilter(filters[index], resolve));
    if (kept.length > 0) copy.set(key, kept);
    else copy.delete(key);
  }
  return copy;
}

/** Returns the first filter to decode, or null. */
export function firstFilter(dict: PdfDict, resolve: Resolve): PdfObject {
  return resolve(listOf(dict.get("Filter"), resolve)[0]);
}

function isCryptFilter(filter: PdfObject | undefined, resolve: Resolve): boolean {
  const name = resolve(filter);
  return name instanceof PdfName && name.value === "Crypt";
}

/** Returns the items of an entry that is an array or a single item. */
function listOf(object: PdfObject | undefined, resolve: Resolve): readonly PdfObject[] {
  const found = resolve(object);
  if (Array.isArray(found)) return found;
  return found === null ? [] : [found];
}
