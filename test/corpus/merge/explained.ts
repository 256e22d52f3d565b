/** The name of the check of the text, which other files of this folder use, too. */
export const TEXT = "text of every page";

/** A file of which native programs say something else in the input than in the output, and not because of the merge. */
interface Explained {
  readonly checks: readonly string[];
  readonly why: string;
}

/** The checks that leave out the pages of a file. Each was looked at. */
export const EXPLAINED: ReadonlyMap<string, Explained> = new Map([
  [
    "pdf/issue12705.pdf",
    {
      checks: [TEXT],
      why: "same words: poppler breaks lines by unused glyphs of a Type 3 font, which are left out",
    },
  ],
  ["pdf/issue918.pdf", { checks: [TEXT], why: "the same" }],
  [
    "pdf-qpdf/incremental-3.pdf",
    { checks: [TEXT], why: "an update deletes the contents; qpdf sees that, too, poppler does not" },
  ],
  [
    "pdf/poppler-937-0-fuzzed.pdf",
    {
      checks: [TEXT, "page count"],
      why: "qpdf loses the only page when it writes, and cannot merge the file",
    },
  ],
  [
    "pdf/bomb_giant.pdf",
    { checks: [TEXT, "page count"], why: "a page of 10 GB: poppler does not end with the output either" },
  ],
  [
    "pdf/issue9949.pdf",
    { checks: ["output intents"], why: "a misspelled DestinationOutputProfile, which no reader looks for" },
  ],
  [
    "pdf-qpdf/fields-pages-out.pdf",
    {
      checks: ["form defaults"],
      why: "its fields name a font that its form lacks, and the form of another has",
    },
  ],
  [
    "pdf/bug1365930.pdf",
    {
      checks: ["tags"],
      why: "the elements of its parent tree are not in its structure tree; the output has them there",
    },
  ],
  [
    "pdf-qpdf/dr-with-indirect-item-out.pdf",
    {
      checks: ["form defaults"],
      why: "its fields name a font that its form lacks, and the form of another has",
    },
  ],
]);

/** Whether a check leaves out the pages of a file. */
export function isExplained(file: string, check: string): boolean {
  return EXPLAINED.get(file)?.checks.includes(check) ?? false;
}
