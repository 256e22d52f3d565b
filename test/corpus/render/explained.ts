/**
 * PDFs of which a page is under 0.9 to both natives, each looked at beside what they draw, and what is different. All
 * that was ours to mend has been mended; most are crops of a few words, in which a hair's breadth counts.
 */
export const EXPLAINED: ReadonlyMap<string, string> = new Map([
  // Fonts that the file does not hold: each program has others to put in their stead.
  ["pdf/issue4304.pdf", "one line of text in a font of its own; the same words, another substitute"],
  ["pdf/issue4575.pdf", "two words; MuPDF draws nothing, poppler with a narrower substitute"],
  ["pdf/issue5954.pdf", "two words; poppler draws nothing, MuPDF in a serif font"],
  ["pdf/issue7115.pdf", "an address in a substitute for Times, in the frame of a link that MuPDF leaves out"],
  ["pdf/issue9915_reduced.pdf", "two words in another substitute for Courier"],
  ["pdf/issue14802.pdf", "one line in a substitute for Times, in the frame of a link that MuPDF leaves out"],
  // Such fonts by numbers of glyphs, whose meaning is lost with the font: no two programs show the same.
  ["pdf/issue11242_reduced.pdf", "glyph numbers of Verdana, which is not there"],
  ["pdf/issue11578_reduced.pdf", "glyph numbers of Times New Roman, which is not there"],
  ["pdf/issue15441.pdf", "glyph numbers of Arial, which is not there"],
  ["pdf/issue15594_reduced.pdf", "glyph numbers of Calibri, which is not there"],
  ["pdf/issue15977_reduced.pdf", "glyph numbers of Arial, which is not there"],
  ["pdf/issue4722.pdf", "glyph numbers of Century Gothic, which is not there"],
  ["pdf/issue7835.pdf", "the last character is a glyph number of Arial Black; the rest is the same"],
  // Bitmaps of letters, larger than they are shown: how they are made smaller differs.
  ["pdf/issue918.pdf", "a page of letters that are bitmaps: thinner here than in MuPDF, as in poppler"],
  ["pdf/issue5896.pdf", "a line of letters that are bitmaps"],
  // Lines thinner than a pixel: a pixel wide and dark here, pale in MuPDF.
  ["pdf/issue4260_reduced.pdf", "a table of hairlines; pale in both natives"],
  ["pdf/bug1743245.pdf", "squared paper; as poppler draws it, but for half a pixel"],
  // Details of a few pixels.
  ["pdf/issue16038.pdf", "two small tiling patterns: no two programs place the tiles alike"],
  ["pdf/issue18030.pdf", "words in frames of links; MuPDF leaves the frames out"],
  ["pdf/rc_annotation.pdf", "the sign of a note without an appearance, which every program makes up"],
  // Where both natives are wrong.
  ["pdf/issue14256.pdf", "a conformance test: eight images that must be alike, and are only here"],
  ["pdf/bitmap-refine-tpgron.pdf", "the picture is whole; it is noise at the top in poppler, black in MuPDF"],
  ["pdf/bitmap-refine-template1-tpgron.pdf", "the same"],
  ["pdf/poppler-937-0-fuzzed.pdf", "a page without a usable box: Letter here, one pixel in poppler"],
]);
