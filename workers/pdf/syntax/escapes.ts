import { HEX_VALUE } from "./characters.ts";

const LF = 0x0a;
const CR = 0x0d;
const ESCAPES = new Map([
  [0x6e, 0x0a],
  [0x72, 0x0d],
  [0x74, 0x09],
  [0x62, 0x08],
  [0x66, 0x0c],
]);

/** Resolves the escapes of a name (ISO 32000-2, 7.3.5). A `#` without two digits stands for itself. */
export function unescapeName(raw: Uint8Array): Uint8Array {
  const decoded = new Uint8Array(raw.length);
  let length = 0;
  for (let at = 0; at < raw.length; at++) {
    const byte = raw[at] as number;
    const high = byte === 0x23 ? (HEX_VALUE[raw[at + 1] ?? 0] ?? 255) : 255;
    const low = byte === 0x23 ? (HEX_VALUE[raw[at + 2] ?? 0] ?? 255) : 255;
    const isEscape = high < 16 && low < 16;
    decoded[length++] = isEscape ? high * 16 + low : byte;
    if (isEscape) at += 2;
  }
  return decoded.subarray(0, length);
}

/** Resolves the escapes of a literal string (ISO 32000-2, 7.3.4.2). */
export function unescapeString(raw: Uint8Array): Uint8Array {
  const decoded = new Uint8Array(raw.length);
  let length = 0;
  for (let at = 0; at < raw.length; at++) {
    const byte = raw[at] as number;
    if (byte === CR) {
      if (raw[at + 1] === LF) at++;
      decoded[length++] = LF;
    } else if (byte !== 0x5c) {
      decoded[length++] = byte;
    } else {
      const escaped = raw[++at];
      if (escaped === undefined) break;
      if (escaped === CR) {
        if (raw[at + 1] === LF) at++;
      } else if (escaped >= 0x30 && escaped <= 0x37) {
        let value = escaped - 0x30;
        for (let more = 0; more < 2; more++) {
          const digit = raw[at + 1];
          if (digit === undefined || digit < 0x30 || digit > 0x37) break;
          value = value * 8 + digit - 0x30;
          at++;
        }
        decoded[length++] = value & 255;
      } else if (escaped !== LF) {
        decoded[length++] = ESCAPES.get(escaped) ?? escaped;
      }
    }
  }
  return decoded.slice(0, length);
}
