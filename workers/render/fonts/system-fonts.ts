import type { PdfiumApi, Pointer } from "../wasm/pdfium.ts";
import type { DocumentFonts } from "./document-fonts.ts";

// Values of FPDF_SYSFONTINFO (fpdf_sysfontinfo.h).
const VERSION = 2;
const NONE = 0;

/** The part of the engine that {@link SystemFonts} uses. */
interface FontHost {
  readonly api: PdfiumApi;
  call<Result>(work: (api: PdfiumApi) => Result): Result;
  text(at: Pointer): string;
  view(at: Pointer, bytes: number): Uint8Array;
  words(...values: readonly number[]): Pointer;
}

/** Answers PDFium's requests for fonts of the system, with the substitutes of the open document. */
export class SystemFonts {
  /** The fonts of the open document. */
  document: DocumentFonts | undefined;
  /** The files that PDFium has got. The handle of a file is its index plus 1. */
  readonly #files: Uint8Array<ArrayBuffer>[] = [];

  /** Registers the callbacks, for the lifetime of the engine. */
  constructor(engine: FontHost) {
    // Each callback needs its own function: Emscripten keeps the first signature of a function.
    const callable = (signature: string, run: (...values: number[]) => number = () => NONE) =>
      engine.api.pdfium.addFunction(run, signature);
    const mapFont = (_: number, weight = 0, _italic = 0, charset = 0, _pitch = 0, name = 0) => {
      return this.#map(engine.text(name), weight, charset);
    };
    const getData = (_: number, handle = 0, table = 0, target = 0, size = 0) => {
      const file = this.#files[handle - 1];
      // Whole files only. PDFium also asks for single tables.
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
