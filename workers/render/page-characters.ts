import type { PdfiumEngine } from "./engine.ts";
import type { FontCodes } from "./fonts/font-codes.ts";
import { BLANKS, UnmappedFonts } from "./fonts/unmapped-fonts.ts";
import { type Box, boxAt, withBox } from "./page-geometry.ts";
import { type Character, DIVIDING_HYPHEN } from "./page-words.ts";
import type { Pointer } from "./wasm/pdfium.ts";

/** Stands for a character without a known meaning. */
const UNKNOWN = "\ufffd";
/** The code of a hyphen that divides a word at the end of a line. */
const HYPHEN = 2;
/** `FPDFText_HasUnicodeMapError`, `FPDFText_IsHyphen` and others return 1 for true and -1 for an error. */
const YES = 1;
const LAST_CODE = 0x10ffff;

/** Calls `take` with each character of a page. They are not kept: a page may have millions. */
export function readCharacters(
  engine: PdfiumEngine,
  page: Pointer,
  fontCodes: () => FontCodes,
  take: (character: Character) => void,
): void {
  const text = engine.call((api) => api.FPDFText_LoadPage(page));
  if (text === 0) return;
  try {
    const fonts = new UnmappedFonts(engine, text, fontCodes);
    withBox(engine, (at, api) => {
      const boxOf = (place: number): Box | undefined =>
        api.FPDFText_GetLooseCharBox(text, place, at) ? boxAt(engine, at) : undefined;
      const characterAt = (place: number): Character => {
        const code = api.FPDFText_GetUnicode(text, place);
        const isUnknown = api.FPDFText_HasUnicodeMapError(text, place) === YES;
        if (isUnknown) {
          // PDFium gives the code in the font.
          const known = fonts.textOf(place, code);
          const guess = known ?? fonts.guess(place, code) ?? UNKNOWN;
          return { text: guess, isUnknown: known === undefined && guess !== " ", box: boxOf(place) };
        }
        // A code without a glyph.
        if (code === 0) return { text: "", isUnknown: false, box: undefined };
        if (BLANKS.includes(code))
          return { text: String.fromCharCode(code), isUnknown: false, box: undefined };
        const box = boxOf(place);
        if (code === HYPHEN && api.FPDFText_IsHyphen(text, place) === YES)
          return { text: DIVIDING_HYPHEN, isUnknown: false, box };
        const isCharacter = code > 0 && code <= LAST_CODE && code !== UNKNOWN.charCodeAt(0);
        return { text: isCharacter ? String.fromCodePoint(code) : UNKNOWN, isUnknown: !isCharacter, box };
      };
      const count = api.FPDFText_CountChars(text);
      for (let place = 0; place < count; place++) take(characterAt(place));
    });
  } finally {
    if (!engine.isBroken) engine.call((api) => api.FPDFText_ClosePage(text));
  }
}
