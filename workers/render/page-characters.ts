import { follows, gapBetween, repeats } from "./adjacent-characters.ts";
import type { PdfiumEngine } from "./engine.ts";
import type { FontCodes } from "./fonts/font-codes.ts";
import { UnmappedFonts } from "./fonts/unmapped-fonts.ts";
import type { Box } from "./page-geometry.ts";
import { type Character, DIVIDING_HYPHEN } from "./page-words.ts";
import { TextPage } from "./text-page.ts";
import type { Pointer } from "./wasm/pdfium.ts";

/** Stands for a character without a known meaning. */
const UNKNOWN = "\ufffd";
/** The code of a hyphen that divides a word at the end of a line. */
const HYPHEN = 2;
const LAST_CODE = 0x10ffff;

/** Calls `take` with each character of a page. They are not kept: a page may have millions. */
export function readCharacters(
  engine: PdfiumEngine,
  page: Pointer,
  fontCodes: () => FontCodes,
  take: (character: Character) => void,
): void {
  TextPage.read(engine, page, (characters, text) => {
    const fonts = new UnmappedFonts(engine, text, fontCodes);
    const { count } = characters;
    let next = 0;
    let last: Character | undefined;
    for (let place = 0; place < count; place++) {
      if (characters.isAdded(place)) continue;
      const hasAdded = next < place;
      if (hasAdded && !isJoined(characters, next - 1, place)) {
        for (; next < place; next++) take(addedBlank(characters, next));
      }
      const character = characterAt(characters, fonts, place);
      const isAgain = last !== undefined && isRepeated(last, character);
      // The characters of a ligature are of one object.
      const isDrawnAgain = isAgain && characters.objectOf(next - 1) !== characters.objectOf(place);
      const gap = hasAdded || !last ? "" : gapBefore(last, character);
      if (gap !== "") take({ text: gap, isUnknown: false, box: undefined });
      next = place + 1;
      if (isDrawnAgain) continue;
      take(character);
      last = character;
    }
    for (; next < count; next++) take(addedBlank(characters, next));
  });
}

function addedBlank(characters: TextPage, place: number): Character {
  return { text: String.fromCharCode(characters.codeOf(place)), isUnknown: false, box: undefined };
}

/** Whether two characters are drawn with no space between them. */
function isJoined(characters: TextPage, before: number, after: number): boolean {
  if (before < 0) return false;
  const [one, other] = [characters.boxOf(before), characters.boxOf(after)];
  if (!one || !other || !mayTouch(one, other)) return false;
  const [placement, otherPlacement] = [characters.placementOf(before), characters.placementOf(after)];
  if (!placement || !otherPlacement) return false;
  return follows({ box: one, placement }, { box: other, placement: otherPlacement });
}

/** Whether two boxes are no further apart than one of them is high. Most others are, and asking for their places takes longer. */
function mayTouch(one: Box, other: Box): boolean {
  const most = Math.max(one.top - one.bottom, other.top - other.bottom);
  return (
    one.left - other.right < most &&
    other.left - one.right < most &&
    one.bottom - other.top < most &&
    other.bottom - one.top < most
  );
}

function gapBefore(before: Character, { box }: Character): string {
  // The word continues in the next line.
  if (before.text === DIVIDING_HYPHEN) return "";
  return before.box && box ? gapBetween(before.box, box) : "";
}

function isRepeated(before: Character, { text, box }: Character): boolean {
  return before.text === text && before.box !== undefined && box !== undefined && repeats(before.box, box);
}

function characterAt(characters: TextPage, fonts: UnmappedFonts, place: number): Character {
  const code = characters.codeOf(place);
  const known = (text: string): Character => ({ text, isUnknown: false, box: characters.boxOf(place) });
  const blank: Character = { text: " ", isUnknown: false, box: undefined };
  if (characters.isUnmapped(place)) {
    // PDFium gives the code in the font.
    const text = fonts.textOf(place, code);
    if (text !== undefined) return text.trim() === "" ? blank : known(text);
    const guess = fonts.guess(place, code) ?? UNKNOWN;
    return guess === " " ? blank : { ...known(guess), isUnknown: true };
  }
  // A code without a glyph.
  if (code === 0) return { text: "", isUnknown: false, box: undefined };
  if (code === 0x20) return blank;
  if (code === HYPHEN && characters.isDividing(place)) return known(DIVIDING_HYPHEN);
  const isControl = code < 0x20 || (code >= 0x7f && code < 0xa0);
  // A font may have glyphs for the codes of control characters.
  if (isControl && !characters.hasInk(place)) return blank;
  const isCharacter = !isControl && code <= LAST_CODE && code !== UNKNOWN.charCodeAt(0);
  return isCharacter ? known(String.fromCodePoint(code)) : { ...known(UNKNOWN), isUnknown: true };
}
