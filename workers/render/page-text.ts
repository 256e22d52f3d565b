import type { PageText } from "../../src/shared/protocol.ts";
import type { PdfiumEngine } from "./engine.ts";
import type { OpenPdf } from "./open-pdf.ts";
import { type Box, boxAt, pageGeometry, withBox } from "./page-geometry.ts";
import { type Character, DIVIDING_HYPHEN, readableText, WordCollector } from "./page-words.ts";
import type { PdfiumApi, Pointer } from "./wasm/pdfium.ts";

/** The text of a page. */
export type ReadPage = Omit<PageText, "page">;

/** What a page is read with. */
export interface ReadOptions {
  /** The indices in `Annots`, from 0, of annotations to leave out. */
  readonly hidden: readonly number[];
  /** The length of a user unit, in points. */
  readonly userUnit: number;
}

/** Stands for a character without a known meaning. */
const UNKNOWN = "\ufffd";
/** Tab, line feed, carriage return and space. Fonts draw nothing for them. */
const BLANKS: readonly number[] = [0x09, 0x0a, 0x0d, 0x20];
/** The code of a hyphen that divides a word at the end of a line. */
const HYPHEN = 2;
/** The visible characters of ASCII. */
const FIRST_VISIBLE = 0x21;
const LAST_VISIBLE = 0x7e;
/** The length of an empty name, with its terminator. */
const EMPTY_NAME = 1;
/** `FPDFText_HasUnicodeMapError`, `FPDFText_IsHyphen` and others return 1 for true and -1 for an error. */
const YES = 1;
const LAST_CODE = 0x10ffff;

/**
 * Reads the text of a page, with annotations and form fields at the end.
 *
 * @returns `undefined` when PDFium cannot open the page
 */
export function readPage(
  pdf: OpenPdf,
  index: number,
  { hidden, userUnit }: ReadOptions,
): ReadPage | undefined {
  if (hidden.length > 0) pdf.hideAnnotations(index, hidden);
  pdf.flattenAnnotations(index);
  return pdf.withPage(index, (page) => {
    const words = new WordCollector(pageGeometry(pdf.engine, page, userUnit));
    let text = "";
    let unknown = false;
    readCharacters(pdf.engine, page, (character) => {
      text += character.text;
      unknown ||= character.isUnknown;
      words.add(character);
    });
    return { text: readableText(text), words: words.end(), unknown };
  });
}

/** Calls `take` with each character of a page. They are not kept: a page may have millions. */
function readCharacters(engine: PdfiumEngine, page: Pointer, take: (character: Character) => void): void {
  const text = engine.call((api) => api.FPDFText_LoadPage(page));
  if (text === 0) return;
  try {
    withBox(engine, (at, api) => {
      const boxOf = (place: number): Box | undefined =>
        api.FPDFText_GetLooseCharBox(text, place, at) ? boxAt(engine, at) : undefined;
      const characterAt = (place: number): Character => {
        const code = api.FPDFText_GetUnicode(text, place);
        const isUnknown = api.FPDFText_HasUnicodeMapError(text, place) === YES;
        // A code without a glyph.
        if (code === 0 && !isUnknown) return { text: "", isUnknown: false, box: undefined };
        if (BLANKS.includes(code)) {
          const blank = isUnknown ? " " : String.fromCharCode(code);
          return { text: blank, isUnknown: false, box: undefined };
        }
        const box = boxOf(place);
        // PDFium gives the code of a character whose meaning it does not know.
        if (isUnknown) return { text: guessed(api, text, place, code), isUnknown, box };
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

/**
 * Returns the text of a character whose meaning PDFium does not know. A visible code of ASCII is taken as that, as other
 * programs do, where it is no number of a glyph: in a Type 3 font, as in old documents of TeX, and in a font that the file
 * does not contain.
 */
function guessed(api: PdfiumApi, text: Pointer, place: number, code: number): string {
  if (code < FIRST_VISIBLE || code > LAST_VISIBLE) return UNKNOWN;
  const object = api.FPDFText_GetTextObject(text, place);
  const font = object === 0 ? 0 : api.FPDFTextObj_GetFont(object);
  if (font === 0) return UNKNOWN;
  // Only Type 3 fonts have no name (ISO 32000-2, Table 110).
  const isType3 = api.FPDFFont_GetBaseFontName(font, 0, 0) === EMPTY_NAME;
  const isAbsent = api.FPDFFont_GetIsEmbedded(font) === 0;
  return isType3 || isAbsent ? String.fromCharCode(code) : UNKNOWN;
}
