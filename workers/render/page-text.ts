import type { PdfiumEngine } from "./engine.ts";
import type { OpenPdf } from "./open-pdf.ts";
import type { Pointer } from "./wasm/pdfium.ts";

/** PDFium writes one or two UTF-16 code units for a character. */
const BYTES_PER_CHARACTER = 4;
const TERMINATOR_BYTES = 2;

/**
 * Returns the text of a page in the order of its content, with annotations and form fields at the end. A line ends with
 * `\n`.
 *
 * @param hidden the indices in `Annots`, from 0, of annotations to leave out
 * @returns `undefined` when PDFium cannot open the page
 */
export function pageText(pdf: OpenPdf, index: number, hidden: readonly number[]): string | undefined {
  if (hidden.length > 0) pdf.hideAnnotations(index, hidden);
  pdf.flattenAnnotations(index);
  const text = pdf.withPage(index, (page) => rawText(pdf.engine, page));
  return text === undefined ? undefined : readableText(text);
}

function rawText(engine: PdfiumEngine, page: Pointer): string {
  const text = engine.call((api) => api.FPDFText_LoadPage(page));
  if (text === 0) return "";
  try {
    const count = engine.call((api) => api.FPDFText_CountChars(text));
    if (count <= 0) return "";
    const bytes = BYTES_PER_CHARACTER * (count + 1);
    const buffer = engine.allocate(bytes);
    try {
      const units = engine.call((api) => api.FPDFText_GetText(text, 0, count, buffer));
      const length = Math.max(0, 2 * units - TERMINATOR_BYTES);
      return new TextDecoder("utf-16le", { ignoreBOM: true }).decode(engine.view(buffer, length));
    } finally {
      engine.free(buffer);
    }
  } finally {
    if (!engine.isBroken) engine.call((api) => api.FPDFText_ClosePage(text));
  }
}

/**
 * Returns the text of PDFium as a reader expects it. PDFium ends a line with CR LF, and writes U+FFFE for a hyphen that
 * divides a word at the end of a line. Other control characters come from fonts that give no meaning to their glyphs.
 */
export function readableText(raw: string): string {
  return raw
    .split("\r\n")
    .map((line) =>
      line
        // The word continues: PDFium has joined the lines.
        .replaceAll("\ufffe", "")
        // A soft hyphen that is drawn inside a line is a hyphen.
        .replaceAll("\u00ad", "-")
        .replaceAll(/[\t\n]/g, " ")
        .replaceAll(/[\p{Cc}\uffff\ufeff]/gu, "")
        .trimEnd(),
    )
    .filter((line) => line !== "")
    .map((line) => `${line}\n`)
    .join("");
}
