import { init } from "@embedpdf/pdfium";

/** The address of a function or structure in PDFium's memory. 0 for none. */
export type Pointer = number;

/** A part of a bitmap, in pixels. */
type Rectangle = readonly [left: number, top: number, width: number, height: number];

/** Where a page is drawn, and how. */
type Drawing = readonly [...Rectangle, rotate: number, flags: number];

/**
 * The functions of PDFium's C interface that Stayput calls (fpdfview.h, fpdf_annot.h, fpdf_edit.h, fpdf_flatten.h,
 * fpdf_formfill.h, fpdf_progressive.h, fpdf_sysfontinfo.h, fpdf_text.h, fpdf_transformpage.h), and of embedpdf's additions.
 */
export interface PdfiumApi {
  readonly pdfium: {
    /** PDFium's memory. A new object each time the memory grows. */
    readonly HEAPU8: Uint8Array;
    readonly wasmExports: { malloc(bytes: number): Pointer; free(at: Pointer): void };
    /** Makes a function callable from C. Each letter of `signature` is a type, the first for the result. */
    addFunction(run: (...values: number[]) => number, signature: string): Pointer;
    removeFunction(at: Pointer): void;
  };
  PDFiumExt_Init(): void;
  FPDF_SetSystemFontInfo(info: Pointer): void;
  PDFiumExt_OpenFormFillInfo(): Pointer;
  PDFiumExt_CloseFormFillInfo(info: Pointer): void;
  PDFiumExt_InitFormFillEnvironment(document: Pointer, info: Pointer): Pointer;
  PDFiumExt_ExitFormFillEnvironment(form: Pointer): void;
  FPDF_LoadCustomDocument(access: Pointer, password: string): Pointer;
  FPDF_CloseDocument(document: Pointer): void;
  FPDF_GetPageCount(document: Pointer): number;
  FPDF_GetPageSizeByIndexF(document: Pointer, index: number, size: Pointer): boolean;
  /** Returns 0 for a page that is a direct object. */
  EPDFDoc_GetPageObjectNumberByIndex(document: Pointer, index: number): number;
  FPDF_LoadPage(document: Pointer, index: number): Pointer;
  FPDF_GetPageWidthF(page: Pointer): number;
  FPDF_GetPageHeightF(page: Pointer): number;
  FPDFPage_SetCropBox(page: Pointer, left: number, bottom: number, right: number, top: number): void;
  FPDFPage_GetAnnot(page: Pointer, index: number): Pointer;
  FPDFPage_GetAnnotCount(page: Pointer): number;
  FPDFPage_CloseAnnot(annotation: Pointer): void;
  FPDFAnnot_GetFlags(annotation: Pointer): number;
  FPDFAnnot_SetFlags(annotation: Pointer, flags: number): boolean;
  /** Makes annotations and form fields a part of the content. A page that is loaded afterwards has it. */
  FPDFPage_Flatten(page: Pointer, usage: number): number;
  FPDF_ClosePage(page: Pointer): void;
  FORM_OnAfterLoadPage(page: Pointer, form: Pointer): void;
  FORM_OnBeforeClosePage(page: Pointer, form: Pointer): void;
  FPDFBitmap_CreateEx(
    width: number,
    height: number,
    format: number,
    pixels: Pointer,
    stride: number,
  ): Pointer;
  FPDFBitmap_FillRect(bitmap: Pointer, ...rectangle: [...Rectangle, argb: number]): boolean;
  FPDFBitmap_Destroy(bitmap: Pointer): void;
  FPDF_RenderPageBitmap_Start(bitmap: Pointer, page: Pointer, ...more: [...Drawing, pause: Pointer]): number;
  FPDF_RenderPage_Close(page: Pointer): void;
  FPDFText_LoadPage(page: Pointer): Pointer;
  FPDFText_ClosePage(text: Pointer): void;
  FPDFText_CountChars(text: Pointer): number;
  FPDFText_GetUnicode(text: Pointer, index: number): number;
  /** Writes UTF-16 with a terminator. Returns the number of code units, the terminator included. */
  FPDFText_GetText(text: Pointer, start: number, count: number, target: Pointer): number;
  FPDFText_GetTextObject(text: Pointer, index: number): Pointer;
  FPDFTextObj_GetFont(object: Pointer): Pointer;
  FPDFFont_GetIsEmbedded(font: Pointer): number;
  FPDFFont_GetBaseFontName(font: Pointer, name: Pointer, bytes: number): number;
  FPDF_FFLDraw(form: Pointer, bitmap: Pointer, page: Pointer, ...drawing: Drawing): void;
}

/**
 * Starts an instance of PDFium.
 *
 * @param onWarning called with each line that PDFium would print
 */
export function createPdfium(
  module: WebAssembly.Module,
  onWarning: (warning: string) => void,
): Promise<PdfiumApi> {
  return init({
    instantiateWasm: (imports: WebAssembly.Imports, onInstance: (instance: WebAssembly.Instance) => void) => {
      const instance = new WebAssembly.Instance(module, imports);
      onInstance(instance);
      return instance.exports;
    },
    print: onWarning,
    printErr: onWarning,
  });
}
