/** PDFs of which the native programs say something else, each looked at, and why `inspect` is right. */
export const EXPLAINED: ReadonlyMap<string, string> = new Map([
  [
    "pdf-qpdf/direct-pages.pdf",
    "pdfinfo has no size for pages that are direct objects; MuPDF has the same as here",
  ],
  [
    "pdf-qpdf/append-xref-loop.pdf",
    "qpdf reads an older catalog without an outline; MuPDF reads the outline",
  ],
  ["pdf/poppler-937-0-fuzzed.pdf", "the only box is broken: US Letter, as readers assume"],
]);
