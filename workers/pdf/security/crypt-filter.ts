import { PdfDict, PdfName, type PdfObject } from "../syntax/objects.ts";

/** What an object is or, for a reference, leads to. */
export type Resolve = (object: PdfObject | undefined) => PdfObject;

/**
 * The crypt filter that a stream names for itself (ISO 32000-2, 7.4.10); `Identity` when it is not said which. It ought
 * to be the first of its filters; like other readers, this one finds it anywhere.
 */
export function namedCryptFilter(dict: PdfDict, resolve: Resolve): string | undefined {
  const at = listOf(dict.get("Filter"), resolve).findIndex((filter) => isCryptFilter(filter, resolve));
  if (at < 0) return undefined;
  const own = resolve(listOf(dict.get("DecodeParms"), resolve)[at]);
  const name = own instanceof PdfDict ? resolve(own.get("Name")) : undefined;
  return name instanceof PdfName ? name.value : "Identity";
}

/** A stream's dictionary without crypt filters, for data that is not encrypted by them any more. */
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

/** The filter that is undone first; null when there is none. */
export function firstFilter(dict: PdfDict, resolve: Resolve): PdfObject {
  return resolve(listOf(dict.get("Filter"), resolve)[0]);
}

function isCryptFilter(filter: PdfObject | undefined, resolve: Resolve): boolean {
  const name = resolve(filter);
  return name instanceof PdfName && name.value === "Crypt";
}

/** What an entry holds that is an array, or one thing where the array would have one. */
function listOf(object: PdfObject | undefined, resolve: Resolve): readonly PdfObject[] {
  const found = resolve(object);
  if (Array.isArray(found)) return found;
  return found === null ? [] : [found];
}
