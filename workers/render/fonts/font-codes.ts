import { BrokenStructure } from "../../pdf/file/cross-reference.ts";
import type { PdfDocument } from "../../pdf/file/document.ts";
import { UndecodableStream } from "../../pdf/file/filters.ts";
import { completePage, type Page } from "../../pdf/pages/page-tree.ts";
import { dictOf, type PdfDict, PdfStream } from "../../pdf/syntax/objects.ts";
import { glyphCharacters } from "./glyph-characters.ts";

/** Returns the character of a code; undefined for one that is not known. */
type CharacterOf = (code: number) => number | undefined;

/** The characters of the codes of fonts, by the names of the fonts. */
export type FontCodes = ReadonlyMap<string, CharacterOf>;

const LAST_CHARACTER = 0x10ffff;
/** The fonts of a page that are looked at. */
const MOST_FONTS = 200;
/** The fonts that are kept. Each may take some megabytes. */
const MOST_KEPT = 32;

/** Reads the embedded fonts of a document that do not say what their codes mean. Each font is read once. */
export class EmbeddedFonts {
  readonly #document: PdfDocument;
  readonly #known = new Map<number, CharacterOf | undefined>();

  constructor(document: PdfDocument) {
    this.#document = document;
  }

  /**
   * Returns the meaning of codes of the fonts of a page that have codes of two bytes (ISO 32000-2, 9.7.4.2) and no stream as
   * `ToUnicode`. In an embedded TrueType font, a code stands for a glyph, and the font says which character the glyph shows.
   */
  codesOn(page: Page): FontCodes {
    const codes = new Map<string, CharacterOf>();
    this.#document.budget.replenish();
    try {
      const fonts = completePage(page).dict("Resources")?.dict("Font");
      for (const [, entry] of [...(fonts?.entries() ?? [])].slice(0, MOST_FONTS)) {
        const font = dictOf(entry);
        const name = font?.name("BaseFont");
        const known = font && this.#codesOf(font);
        if (known && name !== undefined) codes.set(name, known);
      }
    } catch (thrown) {
      // Fonts after one whose place in the file is wrong say nothing.
      if (!(thrown instanceof BrokenStructure)) throw thrown;
    }
    return codes;
  }

  #codesOf(font: PdfDict): CharacterOf | undefined {
    if (!font.name("Encoding")?.startsWith("Identity-")) return undefined;
    // Not allowed, but common: the codes are those of Unicode.
    if (font.name("ToUnicode")?.startsWith("Identity-"))
      return (code) => (code <= LAST_CHARACTER ? code : undefined);
    const descendant = dictOf(font.array("DescendantFonts")[0]);
    const file = descendant?.dict("FontDescriptor")?.reference("FontFile2")?.num;
    if (!descendant || file === undefined || font.has("ToUnicode")) return undefined;
    if (this.#known.has(file)) return this.#known.get(file);
    if (this.#known.size >= MOST_KEPT) this.#known.clear();
    const read = this.#read(descendant);
    this.#known.set(file, read);
    return read;
  }

  #read(font: PdfDict): CharacterOf | undefined {
    try {
      const file = font.dict("FontDescriptor")?.value("FontFile2");
      if (!(file instanceof PdfStream)) return undefined;
      const characters = glyphCharacters(this.#document.objects.decoded(file));
      const map = font.value("CIDToGIDMap");
      if (!(map instanceof PdfStream)) return (code) => characters.get(code);
      const glyphs = this.#document.objects.decoded(map);
      return (code) => characters.get(256 * (glyphs[2 * code] ?? 0) + (glyphs[2 * code + 1] ?? 0));
    } catch (thrown) {
      // A font that cannot be read says nothing.
      if (thrown instanceof UndecodableStream) return undefined;
      throw thrown;
    }
  }
}
