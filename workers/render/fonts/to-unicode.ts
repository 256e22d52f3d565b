import { ARRAY_OPEN, END, Keyword, Lexer } from "../../pdf/syntax/lexer.ts";
import { PdfString } from "../../pdf/syntax/objects.ts";

/** The entries of a map that are read: as many as there are codes of two bytes. Later ones say nothing. */
const MOST_ENTRIES = 0x10000;
/** The longest text of a code, in UTF-16 units. Longer ones are no text. */
const LONGEST_TEXT = 64;
const LAST_UNIT = 0xffff;
/** Characters that stand for "unknown", or for nothing that can be seen. */
const MEANINGLESS = /[\p{Cc}\p{Cs}\ufffd-\uffff]/u;

/** The most ranges that are looked at for a code, if many overlap. */
const MOST_OVERLAPS = 64;

/** The text of the codes from `first` to `last`: the last character of the first one's text counts up. */
interface Entry {
  readonly first: number;
  readonly last: number;
  readonly text: string;
}

interface Range extends Entry {
  /** Its place in the map. */
  readonly place: number;
  /** The last range before it that reaches into it, or beyond. */
  readonly below: Range | undefined;
}

/**
 * Returns a function from a code to its text, by a `ToUnicode` map (ISO 32000-2, 9.10.3). Ignores how many entries a section
 * claims to have: some programs claim a wrong number. Of ranges that overlap, the last one in the map counts.
 */
export function toUnicode(map: Uint8Array): (code: number) => string | undefined {
  const ranges = sorted(entriesOf(map));
  return (code) => {
    let range: Range | undefined;
    let other = lastUpTo(ranges, code);
    for (let count = 0; other !== undefined && count < MOST_OVERLAPS; count++) {
      if (code <= other.last && other.place >= (range?.place ?? 0)) range = other;
      other = other.below;
    }
    if (range === undefined) return undefined;
    const at = range.text.length - 1;
    const unit = range.text.charCodeAt(at) + code - range.first;
    const text = range.text.slice(0, at) + String.fromCharCode(unit);
    return unit > LAST_UNIT || MEANINGLESS.test(text) ? undefined : text;
  };
}

/** Sorts entries by their first codes, and finds those that overlap. */
function sorted(entries: readonly Entry[]): Range[] {
  const placed = entries.map((entry, place) => ({ ...entry, place }));
  const ranges: Range[] = [];
  for (const entry of placed.sort((one, other) => one.first - other.first)) {
    let below: Range | undefined = ranges.at(-1);
    while (below !== undefined && below.last < entry.first) below = below.below;
    ranges.push({ ...entry, below });
  }
  return ranges;
}

/** Returns the last range that begins with a code or before it. */
function lastUpTo(ranges: readonly Range[], code: number): Range | undefined {
  let [low, high] = [0, ranges.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ranges[middle]?.first ?? 0) <= code) low = middle + 1;
    else high = middle;
  }
  return ranges[low - 1];
}

function entriesOf(map: Uint8Array): Entry[] {
  const lexer = new Lexer(map);
  const entries: Entry[] = [];
  for (let token = lexer.next(); token !== END && entries.length < MOST_ENTRIES; token = lexer.next()) {
    if (!(token instanceof Keyword)) continue;
    if (token.text === "beginbfchar") readSection(lexer, entries, false);
    if (token.text === "beginbfrange") readSection(lexer, entries, true);
  }
  return entries;
}

/** Reads the entries of a section: a code, or the first and the last one of several, and their text. */
function readSection(lexer: Lexer, entries: Entry[], isOfRanges: boolean): void {
  const add = (first: number, last: number, text: PdfString) => {
    const units = unitsOf(text);
    if (units !== "") entries.push({ first, last, text: units });
  };
  while (entries.length < MOST_ENTRIES) {
    const first = lexer.next();
    const last = isOfRanges ? lexer.next() : first;
    if (!(first instanceof PdfString) || !(last instanceof PdfString)) return;
    const text = lexer.next();
    if (text instanceof PdfString) add(codeOf(first), codeOf(last), text);
    if (text !== ARRAY_OPEN) continue;
    let code = codeOf(first);
    for (let item = lexer.next(); item instanceof PdfString; item = lexer.next(), code++) {
      if (code <= codeOf(last) && entries.length < MOST_ENTRIES) add(code, code, item);
    }
  }
}

function codeOf({ bytes }: PdfString): number {
  let code = 0;
  for (const byte of bytes.subarray(0, 4)) code = 256 * code + byte;
  return code;
}

/** Returns text in UTF-16BE. A single byte is a character. Empty for what is no text. */
function unitsOf({ bytes }: PdfString): string {
  if (bytes.length === 1) return String.fromCharCode(bytes[0] ?? 0);
  if (bytes.length > 2 * LONGEST_TEXT) return "";
  let text = "";
  for (let at = 0; at + 1 < bytes.length; at += 2)
    text += String.fromCharCode(256 * (bytes[at] ?? 0) + (bytes[at + 1] ?? 0));
  return text;
}
