import { init, type WrappedPdfiumModule } from "@embedpdf/pdfium";
import { instantiate } from "../../wasm/emscripten-module.ts";

/** The address of a function or structure in PDFium's memory. 0 for none. */
export type Pointer = number;

/** PDFium's C interface (fpdfview.h and others), and embedpdf's additions. */
export type PdfiumApi = WrappedPdfiumModule;

/**
 * Starts an instance of PDFium.
 *
 * @param onWarning called with each line that PDFium would print
 * @param mayGrow asked before the memory grows, with the bytes that PDFium needs in all
 */
export function createPdfium(
  module: WebAssembly.Module,
  onWarning: (warning: string) => void,
  mayGrow: (bytes: number) => boolean,
): Promise<PdfiumApi> {
  return instantiate<PdfiumApi>(init, module, { onWarning, mayGrow });
}
