import { BrokenStructure } from "../../pdf/file/cross-reference.ts";
import type { PdfDocument } from "../../pdf/file/document.ts";
import { UndecodableStream } from "../../pdf/file/filters.ts";
import { appearancesOn } from "../../pdf/pages/appearances.ts";
import { completePage, type Page } from "../../pdf/pages/page-tree.ts";
import { dictOf, type PdfDict, type PdfObject, PdfRef, streamOf } from "../../pdf/syntax/objects.ts";
import { glyphCharacters } from "./glyph-characters.ts";
import { toUnicode } from "./to-unicode.ts";

/** Returns the text of a code; undefined for one that is not known. */
type TextOf = (code: number) => string | undefined;

/** The text of the codes of fonts, by the names of the fonts. */
export type FontCodes = ReadonlyMap<string, TextOf>;

const LAST_CHARACTER = 0x10ffff;
/** The last code of one byte, which all codes of simple fonts are (ISO 32000-2, 9.6). */
const LAST_BYTE = 0xff;
/** The fonts of a page that are looked at, and the objects with them. */
const MOST_FONTS = 200;
const MOST_OBJECTS = 5000;
/** The fonts that are kept. Each may take some megabytes. */
const MOST_KEPT = 32;

const unknown: TextOf = () => undefined;

/** A font, and what its codes mean. */
interface ReadFont {
  readonly isSimple: boolean;
  readonly textOf: TextOf;
}

/** Reads what codes of the fonts of a document mean, where PDFium does not know it. Each font is read once. */
export class FontReader {
  readonly #document: PdfDocument;
  readonly #known = new Map<string, TextOf>();

  constructor(document: PdfDocument) {
    this.#document = document;
  }

  /**
   * Returns the meaning of codes of the fonts that a page names, or its forms and annotations. Where fonts of one name disagree,
   * a code has none.
   */
  codesOn(page: Page): FontCodes {
    const fonts = new Map<string, ReadFont[]>();
    this.#document.budget.replenish();
    try {
      for (const font of fontsOn(page)) {
        const name = font.name("BaseFont");
        if (name === undefined) continue;
        const read = { isSimple: !font.is("Subtype", "Type0"), textOf: this.#textOf(font) };
        fonts.set(name, [...(fonts.get(name) ?? []), read]);
      }
    } catch (thrown) {
      // Fonts after one whose place in the file is wrong say nothing.
      if (!(thrown instanceof BrokenStructure)) throw thrown;
    }
    return new Map([...fonts].map(([name, namesakes]) => [name, agreed(namesakes)]));
  }

  /** Reads a font by its `ToUnicode` (ISO 32000-2, 9.10.3), and by the file of a TrueType font whose codes are glyphs (9.7.4.2). */
  #textOf(font: PdfDict): TextOf {
    const byMap = this.#byMap(font);
    const hasGlyphs = font.name("Encoding")?.startsWith("Identity-");
    const descendant = hasGlyphs ? dictOf(font.array("DescendantFonts")[0]) : undefined;
    const byFile = descendant ? this.#byFile(descendant) : unknown;
    return (code) => byMap(code) ?? byFile(code);
  }

  #byMap(font: PdfDict): TextOf {
    // Not allowed, but common: the codes are those of Unicode.
    if (font.name("ToUnicode")?.startsWith("Identity-"))
      return (code) => (code <= LAST_CHARACTER ? String.fromCodePoint(code) : undefined);
    const map = font.reference("ToUnicode");
    return this.#once(`map ${map?.num}`, () => {
      const stream = streamOf(map);
      return stream ? toUnicode(this.#document.objects.decoded(stream)) : unknown;
    });
  }

  #byFile(font: PdfDict): TextOf {
    const file = font.dict("FontDescriptor")?.reference("FontFile2");
    const map = font.reference("CIDToGIDMap");
    return this.#once(`file ${file?.num} ${map?.num}`, () => {
      const { objects } = this.#document;
      const [fileStream, mapStream] = [streamOf(file), streamOf(map)];
      if (!fileStream) return unknown;
      const characters = glyphCharacters(objects.decoded(fileStream));
      const glyphs = mapStream && objects.decoded(mapStream);
      return (code) => {
        const glyph = glyphs ? 256 * (glyphs[2 * code] ?? 0) + (glyphs[2 * code + 1] ?? 0) : code;
        const character = characters.get(glyph);
        return character === undefined ? undefined : String.fromCodePoint(character);
      };
    });
  }

  /** Returns what a font has said before. A font that cannot be read says nothing. */
  #once(key: string, read: () => TextOf): TextOf {
    const known = this.#known.get(key);
    if (known) return known;
    if (this.#known.size >= MOST_KEPT) this.#known.clear();
    const textOf = orUnknown(read);
    this.#known.set(key, textOf);
    return textOf;
  }
}

function orUnknown(read: () => TextOf): TextOf {
  try {
    return read();
  } catch (thrown) {
    if (thrown instanceof UndecodableStream) return unknown;
    throw thrown;
  }
}

/** Returns the meaning of a code in which fonts of one name agree. */
function agreed(fonts: readonly ReadFont[]): TextOf {
  return (code) => {
    const having = fonts.filter(({ isSimple }) => !isSimple || code <= LAST_BYTE);
    const texts = new Set(having.map(({ textOf }) => textOf(code)));
    return texts.size === 1 ? [...texts][0] : undefined;
  };
}

/** Generates the fonts in the resources of a page, of its appearances, and of the forms that they draw. */
function* fontsOn(page: Page): Generator<PdfDict> {
  const complete = completePage(page);
  const waiting: (PdfObject | undefined)[] = [complete.get("Resources")];
  for (const drawn of appearancesOn(complete)) waiting.push(dictOf(drawn)?.get("Resources"));
  const seen = new Set<number>();
  const isNew = (object: PdfObject | undefined): boolean => {
    if (!(object instanceof PdfRef)) return true;
    return seen.size < MOST_OBJECTS && !seen.has(object.num) && seen.add(object.num).has(object.num);
  };
  let left = MOST_FONTS;
  for (const entry of waiting) {
    const resources = isNew(entry) ? dictOf(entry) : undefined;
    for (const font of resources?.dict("Font")?.values() ?? []) {
      const dict = isNew(font) ? dictOf(font) : undefined;
      if (dict && left-- > 0) yield dict;
    }
    for (const object of resources?.dict("XObject")?.values() ?? []) {
      const form = isNew(object) ? dictOf(object) : undefined;
      if (form?.is("Subtype", "Form")) waiting.push(form.get("Resources"));
    }
  }
}
