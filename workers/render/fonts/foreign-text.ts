import type { PdfiumEngine } from "../engine.ts";
import type { Pointer } from "../wasm/pdfium.ts";
import type { ForeignText } from "./document-fonts.ts";
import { isOwnCharacter } from "./faces.ts";

/** The largest number of characters of a page that are read. */
const MOST_CHARACTERS = 100_000;
const LONGEST_NAME = 256;

/** Finds the text of a page in fonts that are not embedded and that PDFium's own fonts lack, by font. */
export function foreignText(engine: PdfiumEngine, page: Pointer): readonly ForeignText[] {
  const found = new Map<Pointer, Map<number, number>>();
  const embedded = new Map<Pointer, boolean>();
  engine.call((api) => {
    const text = api.FPDFText_LoadPage(page);
    if (text === 0) return;
    try {
      const count = Math.min(api.FPDFText_CountChars(text), MOST_CHARACTERS);
      for (let index = 0; index < count; index++) {
        const codePoint = api.FPDFText_GetUnicode(text, index);
        if (isOwnCharacter(codePoint)) continue;
        const object = api.FPDFText_GetTextObject(text, index);
        const font = object === 0 ? 0 : api.FPDFTextObj_GetFont(object);
        if (font === 0) continue;
        let isEmbedded = embedded.get(font);
        if (isEmbedded === undefined) {
          isEmbedded = api.FPDFFont_GetIsEmbedded(font) !== 0;
          embedded.set(font, isEmbedded);
        }
        if (isEmbedded) continue;
        const characters = found.get(font) ?? new Map<number, number>();
        found.set(font, characters);
        characters.set(codePoint, (characters.get(codePoint) ?? 0) + 1);
      }
    } finally {
      api.FPDFText_ClosePage(text);
    }
  });
  return [...found].map(([font, characters]) => ({ font: nameOf(engine, font), characters }));
}

function nameOf(engine: PdfiumEngine, font: Pointer): string {
  const buffer = engine.allocate(LONGEST_NAME);
  try {
    const length = engine.call((api) => api.FPDFFont_GetBaseFontName(font, buffer, LONGEST_NAME));
    return length <= LONGEST_NAME ? engine.text(buffer) : "";
  } finally {
    engine.free(buffer);
  }
}
