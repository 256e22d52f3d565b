import { tableAt, UNICODE_PLATFORMS } from "./character-map.ts";

const CMAP = 0x636d6170;
const LAST_CHARACTER = 0x10ffff;
const LAST_GLYPH = 0xffff;
/** The most characters of all maps of a font: twice those of Unicode. */
const MOST_CHARACTERS = 2 * LAST_CHARACTER;

/**
 * Returns the character of each glyph of a font, by its `cmap` (OpenType 1.9, formats 4 and 12). Of several characters with
 * one glyph, the first counts. A glyph without a character is absent, and so are all of an unreadable `cmap`.
 */
export function glyphCharacters(font: Uint8Array): ReadonlyMap<number, number> {
  const view = new DataView(font.buffer, font.byteOffset, font.byteLength);
  const characters = new Map<number, number>();
  let left = MOST_CHARACTERS;
  const add = (glyph: number, character: number): boolean => {
    const isGlyph = glyph > 0 && glyph <= LAST_GLYPH;
    if (isGlyph && !characters.has(glyph)) characters.set(glyph, character);
    return --left > 0;
  };
  try {
    const start = tableAt(view, CMAP);
    if (start === undefined) return characters;
    for (let index = 0; index < view.getUint16(start + 2); index++) {
      const record = start + 4 + 8 * index;
      if (!UNICODE_PLATFORMS.includes(view.getUint16(record))) continue;
      const at = start + view.getUint32(record + 4);
      const format = view.getUint16(at);
      if (format === 4) addSegments(view, at, add);
      if (format === 12) addGroups(view, at, add);
    }
  } catch (thrown) {
    // The table is cut off.
    if (!(thrown instanceof RangeError)) throw thrown;
  }
  return characters;
}

/** Adds a glyph with its character. Returns whether there may be more. */
type Add = (glyph: number, character: number) => boolean;

/** Format 4: characters of the Basic Multilingual Plane. */
function addSegments(view: DataView, at: number, add: Add): void {
  const count = view.getUint16(at + 6) / 2;
  const ends = at + 14;
  const starts = ends + 2 * count + 2;
  const deltas = starts + 2 * count;
  const offsets = deltas + 2 * count;
  for (let segment = 0; segment < count; segment++) {
    const first = view.getUint16(starts + 2 * segment);
    const last = view.getUint16(ends + 2 * segment);
    const delta = view.getUint16(deltas + 2 * segment);
    const offsetAt = offsets + 2 * segment;
    const offset = view.getUint16(offsetAt);
    for (let character = first; character <= last && character !== 0xffff; character++) {
      const listed = offset === 0 ? character : view.getUint16(offsetAt + offset + 2 * (character - first));
      const glyph = offset !== 0 && listed === 0 ? 0 : (listed + delta) & 0xffff;
      if (!add(glyph, character)) return;
    }
  }
}

/** Format 12: all characters. */
function addGroups(view: DataView, at: number, add: Add): void {
  const count = view.getUint32(at + 12);
  for (let index = 0; index < count; index++) {
    const group = at + 16 + 12 * index;
    const [first, last, glyph] = [group, group + 4, group + 8].map((place) => view.getUint32(place));
    if (first === undefined || last === undefined || glyph === undefined) return;
    for (let character = first; character <= Math.min(last, LAST_CHARACTER); character++) {
      if (!add(glyph + character - first, character)) return;
    }
  }
}
