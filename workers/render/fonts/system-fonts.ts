import type { PdfiumApi, Pointer } from "../wasm/pdfium.ts";
import type { DocumentFonts } from "./document-fonts.ts";

// Of FPDF_SYSFONTINFO (fpdf_sysfontinfo.h).
const VERSION = 2;
const NONE = 0;

/** PDFium and its memory. */
interface FontHost {
  readonly api: PdfiumApi;
  call<Result>(work: (api: PdfiumApi) => Result): Result;
  text(at: Pointer): string;
  view(at: Pointer, bytes: number): Uint8Array;
  words(...values: readonly number[]): Pointer;
}

/** What PDFium takes for the fonts of the system: those of the document that is open. */
export class SystemFonts {
  /** Whom to ask. */
  document: DocumentFonts | undefined;
  /** What has been given out; its place counted from 1 is the handle. */
  readonly #files: Uint8Array<ArrayBuffer>[] = [];

  /** Makes them PDFium's, for as long as the engine lives. */
  constructor(engine: FontHost) {
    // Each a function of its own: one that is given twice is taken for what it was first.
    const callable = (signature: string, run: (...values: number[]) => number = () => NONE) =>
      engine.api.pdfium.addFunction(run, signature);
    const mapFont = (_: number, weight = 0, _italic = 0, charset = 0, _pitch = 0, name = 0) => {
      return this.#map(engine.text(name), weight, charset);
    };
    const getData = (_: number, handle = 0, table = 0, target = 0, size = 0) => {
      const file = this.#files[handle - 1];
      // Whole files only; the first four letters of a table's name would ask for that one.
      if (file === undefined || table !== 0) return 0;
      if (target !== 0 && size >>> 0 >= file.length) engine.view(target >>> 0, file.length).set(file);
      return file.length;
    };
    const info = engine.words(
      VERSION,
      callable("vi"), // Release
      NONE, // EnumFonts
      callable("iiiiiiii", mapFont),
      callable("iii"), // GetFont
      callable("iiiiii", getData),
      callable("iiiii"), // GetFaceName
      callable("iii"), // GetFontCharset
      callable("vii"), // DeleteFont
    );
    engine.call((api) => api.FPDF_SetSystemFontInfo(info));
  }

  #map(name: string, weight: number, charset: number): number {
    const file = this.document?.find(name, weight, charset);
    if (file === undefined) return NONE;
    const known = this.#files.indexOf(file);
    return known >= 0 ? known + 1 : this.#files.push(file);
  }
}
