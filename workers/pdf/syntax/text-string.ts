import { latin1Bytes } from "./characters.ts";
import { PdfString } from "./objects.ts";

/** The characters of PDFDocEncoding (ISO 32000-2, Annex D.2) that differ from Latin-1, by code. */
const SPECIAL = new Map<number, string>([
  ...[..."\u02d8\u02c7\u02c6\u02d9\u02dd\u02db\u02da\u02dc"].map(
    (character, index) => [0x18 + index, character] as const,
  ),
  ...[
    ..."\u2022\u2020\u2021\u2026\u2014\u2013\u0192\u2044\u2039\u203a\u2212\u2030\u201e\u201c\u201d\u2018",
    ..."\u2019\u201a\u2122\ufb01\ufb02\u0141\u0152\u0160\u0178\u017d\u0131\u0142\u0153\u0161\u017e",
  ].map((character, index) => [0x80 + index, character] as const),
  [0xa0, "\u20ac"],
]);
const ESCAPE = "\u001b";
const CODES = new Map([...SPECIAL].map(([code, character]) => [character.codePointAt(0), code]));

/** Returns the code of a character in PDFDocEncoding; undefined when it has none. */
export function pdfDocByte(character: number): number | undefined {
  const special = CODES.get(character);
  if (special !== undefined) return special;
  const isLatin1 =
    character < 0x18 ||
    (character >= 0x20 && character < 0x7f) ||
    (character > 0xa0 && character < 256 && character !== 0xad);
  return isLatin1 ? character : undefined;
}

/** The name of the language of the text that follows, between two escapes (ISO 32000-2, 7.9.2.2.2). */
const LANGUAGE = new RegExp(`${ESCAPE}[A-Za-z-]{2,8}${ESCAPE}`, "g");

/**
 * Decodes a text string (ISO 32000-2, 7.9.2.2): UTF-16 or UTF-8 with a byte order mark, else PDFDocEncoding. Leaves out
 * the names of languages.
 */
export function decodeText({ bytes }: PdfString): string {
  const encoding = unicodeEncoding(bytes);
  if (encoding !== undefined) return new TextDecoder(encoding).decode(bytes).replace(LANGUAGE, "");
  return Array.from(bytes, (byte) => SPECIAL.get(byte) ?? String.fromCharCode(byte)).join("");
}

function unicodeEncoding([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xfe && second === 0xff) return "utf-16be";
  // Not in the standard, but some writers use it, and readers understand it.
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xef && second === 0xbb && third === 0xbf ? "utf-8" : undefined;
}

/** Encodes a text string: in ASCII if possible, else in UTF-16 with a byte order mark, which all readers understand. */
export function encodeText(text: string): PdfString {
  if (/^[\x20-\x7e]*$/.test(text)) return new PdfString(latin1Bytes(text));
  const bytes = new Uint8Array(2 + 2 * text.length);
  const view = new DataView(bytes.buffer);
  view.setUint16(0, 0xfeff);
  for (let index = 0; index < text.length; index++) view.setUint16(2 + 2 * index, text.charCodeAt(index));
  return new PdfString(bytes);
}
