/** PDFs that native programs see otherwise after compression, each looked at, and why. */
export const EXPLAINED: ReadonlyMap<string, string> = new Map([
  [
    "pdf-qpdf/append-xref-loop.pdf",
    "its cross-reference is a loop; qpdf finds no outline in it, MuPDF finds the one that the output has",
  ],
]);
