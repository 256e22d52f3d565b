/** Regular characters form names, numbers and keywords. */
export const REGULAR = 0;
/** White space separates tokens. */
export const WHITE_SPACE = 1;
/** Delimiters end a token and begin another. */
const DELIMITER = 2;

/** The class of each byte (ISO 32000-2, 7.2.3). */
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

/** Returns whether a byte is a decimal digit. */
export const isDigit = (byte: number | undefined): boolean =>
  byte !== undefined && byte >= 0x30 && byte <= 0x39;

/** Returns bytes as a string, one character for each byte. */
export function latin1(bytes: Uint8Array, start = 0, end = bytes.length): string {
  let text = "";
  // The number of arguments of a call is limited.
  for (let at = start; at < end; at += 4096) {
    text += String.fromCharCode(...bytes.subarray(at, Math.min(end, at + 4096)));
  }
  return text;
}

/** Returns a string of characters below 256 as bytes. */
export function latin1Bytes(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let index = 0; index < text.length; index++) bytes[index] = text.charCodeAt(index);
  return bytes;
}

/** Returns the first position of `needle` at or after `from`, or -1. */
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

/** Returns the last position of `needle`, or -1. */
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
