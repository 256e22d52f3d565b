import { PdfDict, type PdfObject } from "../syntax/objects.ts";

/** Joins dictionaries. Of two entries with one key, the first counts. */
export function joined(dicts: readonly PdfDict[]): PdfDict {
  return PdfDict.from([...dicts].reverse().flatMap((dict) => [...dict.entries()]));
}

/** Returns the items of the lists that dictionaries have as `key`. */
export function listsOf(dicts: readonly PdfDict[], key: string): PdfObject[] {
  return dicts.flatMap((dict) => dict.array(key));
}

/** Sets a list, or removes it when it is empty. */
export function setList(dict: PdfDict, key: string, list: PdfObject[]): void {
  if (list.length > 0) dict.set(key, list);
  else dict.delete(key);
}
