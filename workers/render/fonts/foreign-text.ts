import type { PdfiumEngine } from "../engine.ts";
import type { Pointer } from "../wasm/pdfium.ts";
import { type Face, faceOfCharacter } from "./faces.ts";

/** Characters of a page that are looked at. */
const MOST_CHARACTERS = 100_000;
const LONGEST_NAME = 256;

/**
 * The fonts that a page names, does not hold, and writes characters in that PDFium's own fonts do not have; each with
 * the face that has them. A name is its bytes, each as a character.
 */
export function foreignText(engine: PdfiumEngine, page: Pointer): ReadonlyMap<string, Face> {
  const found = new Map<string, Face>();
  const embedded = new Map<Pointer, boolean>();
  engine.call((api) => {
    const text = api.FPDFText_LoadPage(page);
    if (text === 0) return;
    try {
      const count = Math.min(api.FPDFText_CountChars(text), MOST_CHARACTERS);
      for (let index = 0; index < count; index++) {
        const face = faceOfCharacter(api.FPDFText_GetUnicode(text, index));
        if (face === undefined) continue;
        const object = api.FPDFText_GetTextObject(text, index);
        const font = object === 0 ? 0 : api.FPDFTextObj_GetFont(object);
        if (font === 0) continue;
        let isEmbedded = embedded.get(font);
        if (isEmbedded === undefined) {
          isEmbedded = api.FPDFFont_GetIsEmbedded(font) !== 0;
          embedded.set(font, isEmbedded);
        }
        if (!isEmbedded) found.set(nameOf(engine, font), face);
      }
    } finally {
      api.FPDFText_ClosePage(text);
    }
  });
  return found;
}

function nameOf(engine: PdfiumEngine, font: Pointer): string {
  const room = engine.allocate(LONGEST_NAME);
  try {
    const length = engine.call((api) => api.FPDFFont_GetBaseFontName(font, room, LONGEST_NAME));
    return length <= LONGEST_NAME ? engine.text(room) : "";
  } finally {
    engine.free(room);
  }
}
