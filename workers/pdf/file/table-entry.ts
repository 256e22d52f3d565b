import { CHARACTER_CLASS, WHITE_SPACE } from "../syntax/characters.ts";
import type { Lexer } from "../syntax/lexer.ts";
import { isKeyword } from "../syntax/parser.ts";

/** An entry of a cross-reference table. */
interface TableEntry {
  readonly offset: number;
  readonly gen: number;
  readonly live: boolean;
}

/** The length of a valid entry in bytes. */
export const ENTRY_LENGTH = 20;

/** Reads an entry: twenty bytes in the fixed format, otherwise three tokens. Undefined when it is neither. */
export function tableEntry(lexer: Lexer): TableEntry | undefined {
  lexer.skipSpace();
  const fixed = fixedEntry(lexer.bytes, lexer.at);
  if (fixed) {
    lexer.at += ENTRY_LENGTH;
    return fixed;
  }
  const offset = lexer.next();
  const gen = lexer.next();
  const kind = lexer.next();
  if (typeof offset !== "number" || typeof gen !== "number") return undefined;
  if (isKeyword(kind, "n")) return { offset, gen, live: true };
  return isKeyword(kind, "f") ? { offset, gen, live: false } : undefined;
}

/** The offsets in an entry: `0000000015 00000 n` and two bytes of white space (ISO 32000-2, 7.5.4). */
const ENTRY = { offset: 0, offsetEnd: 10, gen: 11, genEnd: 16, kind: 17, end: 18 };

/** Reads an entry in the fixed format, which most have. Faster than tokens: a table may have millions of entries. */
function fixedEntry(bytes: Uint8Array, at: number): TableEntry | undefined {
  if (at + ENTRY_LENGTH >= bytes.length) return undefined;
  const kind = bytes[at + ENTRY.kind];
  if (kind !== 0x6e && kind !== 0x66) return undefined;
  if (bytes[at + ENTRY.offsetEnd] !== 0x20 || bytes[at + ENTRY.genEnd] !== 0x20) return undefined;
  for (let end = ENTRY.end; end < ENTRY_LENGTH; end++) {
    if (CHARACTER_CLASS[bytes[at + end] as number] !== WHITE_SPACE) return undefined;
  }
  const offset = digitsBetween(bytes, at + ENTRY.offset, at + ENTRY.offsetEnd);
  const gen = digitsBetween(bytes, at + ENTRY.gen, at + ENTRY.genEnd);
  return offset < 0 || gen < 0 ? undefined : { offset, gen, live: kind === 0x6e };
}

/** Returns the value of digits; -1 when another character is among them. */
function digitsBetween(bytes: Uint8Array, start: number, end: number): number {
  let value = 0;
  for (let at = start; at < end; at++) {
    const digit = (bytes[at] as number) - 0x30;
    if (digit < 0 || digit > 9) return -1;
    value = 10 * value + digit;
  }
  return value;
}
