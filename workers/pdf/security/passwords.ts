import { ServiceError } from "../../../src/shared/errors.ts";
import { saslPrep } from "./sasl-prep.ts";

/** Revision 6 uses at most this many bytes of a password (ISO 32000-2, 7.6.4.3.3). */
export const PASSWORD_LIMIT = 127;

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
  // An empty password would not protect the file.
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

/** Returns the byte strings that a password may mean in revisions 2 to 4: UTF-8, PDFDocEncoding, Latin-1. */
export function legacyPasswords(password: string): Uint8Array<ArrayBuffer>[] {
  const forms = [utf8.encode(password), encode(password, pdfDocByte), encode(password, latin1Byte)];
  return distinct(forms.filter((form) => form !== undefined));
}

function distinct(forms: Uint8Array<ArrayBuffer>[]): Uint8Array<ArrayBuffer>[] {
  return forms.filter((form, index) => forms.findIndex((other) => equalBytes(other, form)) === index);
}

/** Returns whether two byte strings are equal. */
export function equalBytes(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, index) => byte === other[index]);
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

/** The codes of PDFDocEncoding (ISO 32000-2, Annex D.2) that differ from Latin-1. */
const PDF_DOC = new Map<number, number>(
  [
    ...[..."\u02d8\u02c7\u02c6\u02d9\u02dd\u02db\u02da\u02dc"].map((character, index) => ({
      character,
      byte: 0x18 + index,
    })),
    ...[
      ..."\u2022\u2020\u2021\u2026\u2014\u2013\u0192\u2044\u2039\u203a\u2212\u2030\u201e\u201c\u201d\u2018",
      ..."\u2019\u201a\u2122\ufb01\ufb02\u0141\u0152\u0160\u0178\u017d\u0131\u0142\u0153\u0161\u017e",
    ].map((character, index) => ({ character, byte: 0x80 + index })),
    { character: "\u20ac", byte: 0xa0 },
  ].map(({ character, byte }) => [character.codePointAt(0) ?? 0, byte]),
);

function pdfDocByte(code: number): number | undefined {
  const special = PDF_DOC.get(code);
  if (special !== undefined) return special;
  const isLatin1 =
    code < 0x18 || (code >= 0x20 && code < 0x7f) || (code > 0xa0 && code < 256 && code !== 0xad);
  return isLatin1 ? code : undefined;
}
