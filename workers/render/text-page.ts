import type { PdfiumEngine } from "./engine.ts";
import { type Box, boxAt } from "./page-geometry.ts";
import type { PdfiumApi, Pointer } from "./wasm/pdfium.ts";

/** `FPDFText_IsGenerated` and others return 1 for true and -1 for an error. */
const YES = 1;
/** The longest value that PDFium writes: four doubles. */
const MEMORY_BYTES = 32;
const DOUBLE_BYTES = 8;
/** What is flatter draws nothing. A dash is five times as high. */
const FLATTEST = 0.01;

/** Where a character stands, in the coordinates of the page. */
export interface Placement {
  /** The direction of its line, of length 1. */
  readonly direction: readonly [x: number, y: number];
  readonly origin: readonly [x: number, y: number];
  /** The size of its font as it is drawn. */
  readonly size: number;
}

/** The characters that PDFium finds on a page, by their numbers from 0. Works inside of a call of the engine only. */
export class TextPage {
  readonly #engine: PdfiumEngine;
  readonly #api: PdfiumApi;
  readonly #text: Pointer;
  readonly #at: Pointer;

  private constructor(engine: PdfiumEngine, api: PdfiumApi, text: Pointer, at: Pointer) {
    this.#engine = engine;
    this.#api = api;
    this.#text = text;
    this.#at = at;
  }

  /** Calls `use` with the characters of a page, unless PDFium cannot find them. `text` is what PDFium calls them by. */
  static read(engine: PdfiumEngine, page: Pointer, use: (characters: TextPage, text: Pointer) => void): void {
    const text = engine.call((api) => api.FPDFText_LoadPage(page));
    if (text === 0) return;
    const at = engine.allocate(MEMORY_BYTES);
    try {
      engine.call((api) => use(new TextPage(engine, api, text, at), text));
    } finally {
      engine.free(at);
      if (!engine.isBroken) engine.call((api) => api.FPDFText_ClosePage(text));
    }
  }

  get count(): number {
    return this.#api.FPDFText_CountChars(this.#text);
  }

  /** Returns the code point of a character, or its code in the font where {@link isUnmapped}. */
  codeOf(place: number): number {
    return this.#api.FPDFText_GetUnicode(this.#text, place);
  }

  /** Whether PDFium does not know what a character means. */
  isUnmapped(place: number): boolean {
    return this.#api.FPDFText_HasUnicodeMapError(this.#text, place) === YES;
  }

  /** Whether PDFium has added a blank, which the page does not have. */
  isAdded(place: number): boolean {
    return this.#api.FPDFText_IsGenerated(this.#text, place) === YES;
  }

  /** Whether a character is a hyphen that divides a word at the end of a line. */
  isDividing(place: number): boolean {
    return this.#api.FPDFText_IsHyphen(this.#text, place) === YES;
  }

  /** Returns a box with the width of a character and the height of its line. */
  boxOf(place: number): Box | undefined {
    if (!this.#api.FPDFText_GetLooseCharBox(this.#text, place, this.#at)) return undefined;
    return boxAt(this.#engine, this.#at);
  }

  /** Whether a character draws something. PDFium gives a blank its width, and a thousandth of its size as its height. */
  hasInk(place: number): boolean {
    const at = (index: number) => this.#at + DOUBLE_BYTES * index;
    if (!this.#api.FPDFText_GetCharBox(this.#text, place, at(0), at(1), at(2), at(3))) return false;
    const [left = 0, right = 0, bottom = 0, top = 0] = this.#doubles(4);
    return top - bottom > FLATTEST * (right - left);
  }

  /** Returns the object of the page that draws a character; 0 for none. */
  objectOf(place: number): Pointer {
    return this.#api.FPDFText_GetTextObject(this.#text, place);
  }

  placementOf(place: number): Placement | undefined {
    if (!this.#api.FPDFText_GetMatrix(this.#text, place, this.#at)) return undefined;
    const { buffer, byteOffset } = this.#engine.view(this.#at, MEMORY_BYTES);
    const [a = 0, b = 0, c = 0, d = 0] = new Float32Array(buffer, byteOffset, 4);
    const scale = Math.hypot(a, b);
    const size = Math.min(scale, Math.hypot(c, d)) * this.#api.FPDFText_GetFontSize(this.#text, place);
    if (scale === 0 || !(size > 0)) return undefined;
    if (!this.#api.FPDFText_GetCharOrigin(this.#text, place, this.#at, this.#at + DOUBLE_BYTES))
      return undefined;
    const [x = 0, y = 0] = this.#doubles(2);
    return { direction: [a / scale, b / scale], size, origin: [x, y] };
  }

  #doubles(count: number): Float64Array {
    const { buffer, byteOffset } = this.#engine.view(this.#at, MEMORY_BYTES);
    return new Float64Array(buffer, byteOffset, count);
  }
}
