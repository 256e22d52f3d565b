/** The class of a character that names, numbers and keywords are made of. */
export const REGULAR = 0;
/** The class of a character that only parts others. */
export const WHITE_SPACE = 1;
/** The class of a character that ends what is before it, and begins something. */
const DELIMITER = 2;

/** What each byte is to the lexer (ISO 32000-2, 7.2.3). */
export const CHARACTER_CLASS = new Uint8Array(256);
for (const byte of [0x00, 0x09, 0x0a, 0x0c, 0x0d, 0x20]) CHARACTER_CLASS[byte] = WHITE_SPACE;
for (const character of "()<>[]{}/%") CHARACTER_CLASS[character.charCodeAt(0)] = DELIMITER;

/** The value of each byte as a hexadecimal digit, 255 for every other byte. */
export const HEX_VALUE = new Uint8Array(256).fill(255);
for (let digit = 0; digit < 16; digit++) {
  const character = digit.toString(16);
  HEX_VALUE[character.charCodeAt(0)] = digit;
  HEX_VALUE[character.toUpperCase().charCodeAt(0)] = digit;
}

/** Whether a byte is a decimal digit. */
export const isDigit = (byte: number | undefined): boolean =>
  byte !== undefined && byte >= 0x30 && byte <= 0x39;

/** Bytes as a string, one character a byte. */
export function latin1(bytes: Uint8Array, start = 0, end = bytes.length): string {
  let text = "";
  // A call has a limit on its arguments.
  for (let at = start; at < end; at += 4096) {
    text += String.fromCharCode(...bytes.subarray(at, Math.min(end, at + 4096)));
  }
  return text;
}

/** A string of characters below 256 as bytes. */
export function latin1Bytes(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let index = 0; index < text.length; index++) bytes[index] = text.charCodeAt(index);
  return bytes;
}

/** Where `needle` first starts in `bytes` at or after `from`; -1 when it does not. */
export function indexOf(bytes: Uint8Array, needle: Uint8Array, from = 0): number {
  const first = needle[0];
  if (first === undefined) return from;
  const last = bytes.length - needle.length;
  for (let at = bytes.indexOf(first, from); at >= 0 && at <= last; at = bytes.indexOf(first, at + 1)) {
    let length = 1;
    while (length < needle.length && bytes[at + length] === needle[length]) length++;
    if (length === needle.length) return at;
  }
  return -1;
}

/** Where `needle` last starts in `bytes`; -1 when it does not. */
export function lastIndexOf(bytes: Uint8Array, needle: Uint8Array): number {
  const first = needle[0];
  if (first === undefined) return bytes.length;
  let at = bytes.lastIndexOf(first, bytes.length - needle.length);
  while (at >= 0) {
    let length = 1;
    while (length < needle.length && bytes[at + length] === needle[length]) length++;
    if (length === needle.length) return at;
    if (at === 0) return -1;
    at = bytes.lastIndexOf(first, at - 1);
  }
  return -1;
}
