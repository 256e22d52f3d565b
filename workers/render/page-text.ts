import type { PageText } from "../../src/shared/protocol.ts";
import type { FontCodes } from "./fonts/font-codes.ts";
import type { OpenPdf } from "./open-pdf.ts";
import { readCharacters } from "./page-characters.ts";
import { pageGeometry } from "./page-geometry.ts";
import { readableText, WordCollector } from "./page-words.ts";
import { RightToLeft } from "./right-to-left.ts";

/** The text of a page. */
export type ReadPage = Omit<PageText, "page">;

/** What a page is read with. */
export interface ReadOptions {
  /** The indices in `Annots`, from 0, of annotations to leave out. */
  readonly hidden: readonly number[];
  /** The length of a user unit, in points. */
  readonly userUnit: number;
  /** Returns what codes mean in fonts of which PDFium does not know it. */
  readonly fontCodes: () => FontCodes;
}

/**
 * Reads the text of a page, with annotations and form fields at the end.
 *
 * @returns `undefined` when PDFium cannot open the page
 */
export function readPage(
  pdf: OpenPdf,
  index: number,
  { hidden, userUnit, fontCodes }: ReadOptions,
): ReadPage | undefined {
  if (hidden.length > 0) pdf.hideAnnotations(index, hidden);
  pdf.flattenAnnotations(index);
  return pdf.withPage(index, (page) => {
    const toShown = pageGeometry(pdf.engine, page, userUnit);
    const words = new WordCollector(toShown);
    let text = "";
    let unknown = false;
    const ordered = new RightToLeft(toShown, (character) => {
      text += character.text;
      unknown ||= character.isUnknown;
      words.add(character);
    });
    readCharacters(pdf.engine, page, fontCodes, (character) => ordered.add(character));
    ordered.end();
    return { text: readableText(text), words: words.end(), unknown };
  });
}
