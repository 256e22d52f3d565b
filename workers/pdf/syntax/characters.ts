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
