import { ServiceError } from "../../../src/shared/errors.ts";
import { equalBytes } from "../../io/equal-bytes.ts";
import { pdfDocByte } from "../syntax/text-string.ts";
import { saslPrep } from "./sasl-prep.ts";

/** Revision 6 uses at most this many bytes of a password (ISO 32000-2, 7.6.4.3.3). */
const PASSWORD_LIMIT = 127;

const utf8 = new TextEncoder();

/**
 * Returns a password for revision 6: prepared by SASLprep, in UTF-8. Unprepared when SASLprep fails.
 *
 * @throws {ServiceError} `invalid_parameter` over {@link PASSWORD_LIMIT} bytes
 */
export function passwordToWrite(
  password: string,
  parameter: "password" | "owner_password",
): Uint8Array<ArrayBuffer> {
  // SASLprep empties a password of nothing but soft hyphens, for example. The file would open for everyone.
  const bytes = utf8.encode(saslPrep(password) || password);
  if (bytes.length > PASSWORD_LIMIT) {
    throw new ServiceError(
      "invalid_parameter",
      `The ${parameter} is ${bytes.length} bytes long in UTF-8. A PDF password has at most ${PASSWORD_LIMIT}: choose a shorter one.`,
      { parameter },
    );
  }
  return bytes;
}

/** Returns the byte strings that a password may mean in revisions 5 and 6, the likeliest first. */
export function modernPasswords(password: string): Uint8Array<ArrayBuffer>[] {
  const forms = [saslPrep(password), password].filter((form) => form !== undefined);
  return distinct(forms.map((form) => utf8.encode(form).slice(0, PASSWORD_LIMIT)));
}

/**
 * Returns the byte strings that a password may mean in revisions 2 to 4: UTF-8, PDFDocEncoding, Latin-1, and what programs
 * for Windows and Macs wrote, Windows-1252 and Mac Roman.
 */
export function legacyPasswords(password: string): Uint8Array<ArrayBuffer>[] {
  const encodings = [pdfDocByte, latin1Byte, windowsByte, macByte];
  const forms = encodings.map((byteOf) => encode(password, byteOf)).filter((form) => form !== undefined);
  return distinct([utf8.encode(password), ...forms]);
}

/** The characters of Windows-1252 that differ from Latin-1, from 80 on. `\0` stands for no character. */
const WINDOWS_1252 = "€\0‚ƒ„…†‡ˆ‰Š‹Œ\0Ž\0\0‘’“”•–—˜™š›œ\0žŸ";
/** The characters of Mac Roman from 80 on. */
const MAC_ROMAN =
  "ÄÅÇÉÑÖÜáàâäãåçéèêëíìîïñóòôöõúùûü†°" +
  "¢£§•¶ß®©™´¨≠ÆØ∞±≤≥¥µ∂∑∏π∫ªºΩæø¿¡¬√ƒ≈∆«»…\u00a0ÀÃÕŒœ–—“”‘’÷◊ÿŸ⁄€‹›ﬁﬂ‡·‚„‰ÂÊÁËÈÍÎÏÌÓÔ\uf8ffÒÚÛÙıˆ˜¯˘˙˚¸˝˛ˇ";

const WINDOWS_BYTES = upperHalf(WINDOWS_1252);
const MAC_BYTES = upperHalf(MAC_ROMAN);

/** Returns the bytes of characters, of which the first is 80. */
function upperHalf(characters: string): ReadonlyMap<number, number> {
  return new Map(
    [...characters].flatMap((character, index) =>
      character === "\0" ? [] : [[character.codePointAt(0) ?? 0, 0x80 + index]],
    ),
  );
}

/** Returns the byte of a character in Windows-1252, if it has one. */
function windowsByte(code: number): number | undefined {
  return WINDOWS_BYTES.get(code) ?? (code < 0x80 || (code >= 0xa0 && code < 256) ? code : undefined);
}

/** Returns the byte of a character in Mac Roman, if it has one. */
function macByte(code: number): number | undefined {
  return MAC_BYTES.get(code) ?? (code < 0x80 ? code : undefined);
}

function distinct(forms: Uint8Array<ArrayBuffer>[]): Uint8Array<ArrayBuffer>[] {
  return forms.filter((form, index) => forms.findIndex((other) => equalBytes(other, form)) === index);
}

function encode(
  text: string,
  byteOf: (code: number) => number | undefined,
): Uint8Array<ArrayBuffer> | undefined {
  const bytes: number[] = [];
  for (const character of text) {
    const byte = byteOf(character.codePointAt(0) ?? 0);
    if (byte === undefined) return undefined;
    bytes.push(byte);
  }
  return Uint8Array.from(bytes);
}

const latin1Byte = (code: number) => (code < 256 ? code : undefined);
