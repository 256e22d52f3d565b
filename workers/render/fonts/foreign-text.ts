import type { PdfiumEngine } from "../engine.ts";
import type { Pointer } from "../wasm/pdfium.ts";
import { type Face, faceOfCharacter, isOwnCharacter } from "./faces.ts";

/** Characters of a page that are looked at. */
const MOST_CHARACTERS = 100_000;
const LONGEST_NAME = 256;

/** Characters on a page that PDFium's own fonts do not have, in a font that the file does not hold. */
export interface ForeignText {
  /** The font's: its bytes, each as a character. */
  readonly font: string;
  /** What has the characters; nothing when no face does. */
  readonly face: Face | undefined;
  readonly count: number;
}

/** A page's text for which it depends on others' fonts, by font and face. */
export function foreignText(engine: PdfiumEngine, page: Pointer): readonly ForeignText[] {
  const counts = new Map<Pointer, Map<Face | undefined, number>>();
  const embedded = new Map<Pointer, boolean>();
  engine.call((api) => {
    const text = api.FPDFText_LoadPage(page);
    if (text === 0) return;
    try {
      const characters = Math.min(api.FPDFText_CountChars(text), MOST_CHARACTERS);
      for (let index = 0; index < characters; index++) {
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
        const ofFont = counts.get(font) ?? new Map<Face | undefined, number>();
        counts.set(font, ofFont);
        const face = faceOfCharacter(codePoint);
        ofFont.set(face, (ofFont.get(face) ?? 0) + 1);
      }
    } finally {
      api.FPDFText_ClosePage(text);
    }
  });
  return [...counts].flatMap(([font, faces]) => {
    const name = nameOf(engine, font);
    return [...faces].map(([face, count]) => ({ font: name, face, count }));
  });
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
