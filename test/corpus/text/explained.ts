/** PDFs of which a page has other words than poppler and MuPDF read, each looked at, and what is different. */
export const EXPLAINED: ReadonlyMap<string, string> = new Map([
  // Text that the page holds and does not show, which the natives leave out.
  ["pdf/issue1350.pdf", "three pages show parts of one long text; the rest is outside the page"],
  ["pdf/issue269_2.pdf", "labels outside the page"],
  ["pdf/issue19800.pdf", "lines outside the page"],
  ["pdf/issue18823.pdf", "numbers on layers that are off"],
  ["pdf-qpdf/fx-overlay-66.pdf", "a page below another one, whose text is outside the page"],
  ["pdf/annotation-text-without-popup.pdf", "a line outside the page"],
  // Codes without a map to Unicode.
  ["pdf/issue2017r.pdf", "accented letters, which are right here"],
  ["pdf/bug894572.pdf", "a font whose codes mean nothing"],
  ["pdf/issue7855.pdf", "a soft hyphen that is drawn inside a line is a hyphen here"],
]);
