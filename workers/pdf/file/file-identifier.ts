import { type PdfDict, PdfString, stringOf } from "../syntax/objects.ts";

/** The length of an identifier: that of the MD5 digest that ISO 32000-2, 14.4 suggests. */
const IDENTIFIER_BYTES = 16;

/**
 * Sets the file identifier (ISO 32000-2, 14.4) in the trailer of a new file that is made from a whole
 * document. The first string is permanent and stays the same. The second string identifies this version of
 * the file. It is new and random.
 *
 * In an encrypted file, no part of the identifier may be a reference (Table 15). An identifier that is not
 * two strings is left out.
 *
 * @param original the trailer of the document
 */
export function setIdentifier(trailer: PdfDict, original: PdfDict): void {
  const [permanent, changing] = original.array("ID").slice(0, 2).map(stringOf);
  if (permanent && changing) trailer.set("ID", [permanent, newIdentifier()]);
  else trailer.delete("ID");
}

/** Returns a random string for one half of a file identifier. */
export function newIdentifier(): PdfString {
  return new PdfString(crypto.getRandomValues(new Uint8Array(IDENTIFIER_BYTES)), true);
}
