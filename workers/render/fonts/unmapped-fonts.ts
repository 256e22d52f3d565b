import type { PdfiumEngine } from "../engine.ts";
import type { Pointer } from "../wasm/pdfium.ts";
import type { FontCodes } from "./font-codes.ts";

/** Tab, line feed, carriage return and space. */
const BLANKS: readonly number[] = [0x09, 0x0a, 0x0d, 0x20];
/** The visible characters of ASCII. */
const FIRST_VISIBLE = 0x21;
const LAST_VISIBLE = 0x7e;
/** The length of an empty name, with its terminator. */
const EMPTY_NAME = 1;

/** The fonts of characters whose meaning PDFium does not know. */
export class UnmappedFonts {
  readonly #engine: PdfiumEngine;
  readonly #text: Pointer;
  readonly #readCodes: () => FontCodes;
  readonly #names = new Map<Pointer, string>();
  #codes: FontCodes | undefined;

  /**
   * @param text the text of a page in PDFium
   * @param readCodes returns what codes mean in fonts. Called at most once
   */
  constructor(engine: PdfiumEngine, text: Pointer, readCodes: () => FontCodes) {
    this.#engine = engine;
    this.#text = text;
    this.#readCodes = readCodes;
  }

  /** Returns the text of a code that the font of a place explains. */
  textOf(place: number, code: number): string | undefined {
    const name = this.#nameOf(this.#fontAt(place));
    if (name === "") return undefined;
    this.#codes ??= this.#readCodes();
    return this.#codes.get(name)?.(code);
  }

  /**
   * Returns the character that a code probably stands for. A visible code of ASCII is taken as that, as other programs do,
   * where it is no number of a glyph: in a Type 3 font, as in old documents of TeX, and in a font that the file does not
   * contain. A code of white space is a space there.
   */
  guess(place: number, code: number): string | undefined {
    const isBlank = BLANKS.includes(code);
    if (!isBlank && (code < FIRST_VISIBLE || code > LAST_VISIBLE)) return undefined;
    const font = this.#fontAt(place);
    if (font === 0) return undefined;
    // Only Type 3 fonts have no name (ISO 32000-2, Table 110).
    const isType3 = this.#nameOf(font) === "";
    const isAbsent = this.#engine.call((api) => api.FPDFFont_GetIsEmbedded(font)) === 0;
    if (!isType3 && !isAbsent) return undefined;
    return isBlank ? " " : String.fromCharCode(code);
  }

  #fontAt(place: number): Pointer {
    return this.#engine.call((api) => {
      const object = api.FPDFText_GetTextObject(this.#text, place);
      return object === 0 ? 0 : api.FPDFTextObj_GetFont(object);
    });
  }

  /** Returns the name of a font, each of its bytes as a character; empty for a font without one. */
  #nameOf(font: Pointer): string {
    const known = this.#names.get(font);
    if (known !== undefined) return known;
    const name = font === 0 ? "" : this.#readName(font);
    this.#names.set(font, name);
    return name;
  }

  #readName(font: Pointer): string {
    const length = this.#engine.call((api) => api.FPDFFont_GetBaseFontName(font, 0, 0));
    if (length <= EMPTY_NAME) return "";
    const at = this.#engine.allocate(length);
    try {
      this.#engine.call((api) => api.FPDFFont_GetBaseFontName(font, at, length));
      return this.#engine.text(at);
    } finally {
      this.#engine.free(at);
    }
  }
}
