import { latin1 } from "../syntax/characters.ts";
import { type PdfDict, stringOf } from "../syntax/objects.ts";
import { decodeText } from "../syntax/text-string.ts";

/** Addresses that readers run instead of opening them, and what readers leave out of addresses. */
const SCRIPT_ADDRESS = /^(javascript|vbscript|data):/i;
const LEFT_OUT = /[\s\p{C}]/gu;
/** Entries with an address: of an action (12.6.4.8), of the catalog's `URI`, of a file specification (7.11.5). */
const ADDRESSES = ["URI", "Base", "F", "UF"];

/** Returns whether an object, or its file, has an address that readers run instead of opening it. */
export function runsAddress(dict: PdfDict): boolean {
  const file = dict.dict("F");
  return runsAny(dict) || (file !== undefined && runsAny(file));
}

/** Returns whether an address is a script. Readers differ in how they decode it. */
function runsAny(dict: PdfDict): boolean {
  return ADDRESSES.some((key) => {
    const address = dict.has(key) ? stringOf(dict.get(key)) : undefined;
    if (address === undefined) return false;
    return [decodeText(address), latin1(address.bytes)].some((text) =>
      SCRIPT_ADDRESS.test(text.replace(LEFT_OUT, "")),
    );
  });
}
