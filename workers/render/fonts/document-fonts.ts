import { charactersOf } from "./character-map.ts";
import { type Face, faceOfCharacter, faceOfCharset, fontName } from "./faces.ts";
import type { FontShelf } from "./font-shelf.ts";

/** Text of a page in a font that is not embedded, as far as PDFium's own fonts lack its characters. */
export interface ForeignText {
  /** The name of the font: each of its bytes as a character. */
  readonly font: string;
  /** The number of occurrences of each code point. */
  readonly characters: ReadonlyMap<number, number>;
}

/** From this weight on, a bold face is the nearer one. */
const BOLD_FROM = 600;
/** Under this name PDFium asks for what stands in for single characters that a font does not have. */
const STAND_IN = "Helvetica";
/** PDFium has these itself, whatever is in them. */
const OWN = /^(?:Symbol|ZapfDingbats)/;

interface NeedyFont {
  readonly name: string;
  readonly face: Face;
}

/** Which fonts a document names and does not hold, and what it gets for them. */
export class DocumentFonts {
  readonly #shelf: FontShelf;
  /** Files that would have been used, had they been loaded. */
  readonly #wanted = new Set<string>();
  /** Fonts that need a face, by their names' bytes. */
  readonly #needy = new Map<string, NeedyFont>();
  /** Fonts for which PDFium has something, but not all of their characters, nor has what stands in. */
  readonly #lost = new Set<string>();
  #standIn: Face | undefined;
  #isStandInAsked = false;
  #isStale = false;

  constructor(shelf: FontShelf) {
    this.#shelf = shelf;
  }

  /**
   * The file for a font.
   *
   * @param name its bytes, each as a character
   * @param weight from 100 to 900
   * @param charset a Windows character set
   * @returns nothing for what PDFium has something of its own for, and what is not loaded
   */
  find(name: string, weight: number, charset: number): Uint8Array<ArrayBuffer> | undefined {
    if (name === STAND_IN) this.#isStandInAsked = true;
    const face = faceOfCharset(charset);
    if (face !== undefined) this.#needy.set(name, { name: fontName(name, charset), face });
    const chosen = face ?? (name === STAND_IN ? this.#standIn : undefined);
    return chosen && this.#fileOf(chosen, weight);
  }

  #fileOf(face: Face, weight: number): Uint8Array<ArrayBuffer> | undefined {
    const files = weight >= BOLD_FROM ? [face.bold, face.regular] : [face.regular];
    const file = files.find((one) => !this.#shelf.isAbsent(one));
    if (file === undefined) return undefined;
    const bytes = this.#shelf.get(file);
    if (bytes === undefined) this.#wanted.add(file);
    return bytes;
  }

  /** Whether characters may have been met that a font does not have: where they were, it may be blank. */
  get mayHaveBlanks(): boolean {
    return this.#isStandInAsked;
  }

  /**
   * Has characters that PDFium's own fonts do not have drawn by a face. One can stand in at a time: of several that a
   * page needs, the one for the most characters on it.
   *
   * @param texts all such of a page
   */
  standInFor(texts: readonly ForeignText[]): void {
    const needy = texts
      .map(({ font, characters }) => ({ plain: plainName(font), characters }))
      .filter(({ plain }) => !this.#hasFace(plain));
    const counts = new Map<Face, number>();
    for (const { characters } of needy) {
      for (const [codePoint, count] of characters) {
        const face = faceOfCharacter(codePoint);
        if (face === undefined || this.#shelf.isAbsent(face.regular)) continue;
        counts.set(face, (counts.get(face) ?? 0) + count);
      }
    }
    const standIn = [...counts].sort(([, one], [, other]) => other - one)[0]?.[0];
    if (standIn !== undefined && standIn !== this.#standIn) {
      this.#standIn = standIn;
      if (this.#fileOf(standIn, 0) !== undefined) this.#isStale = true;
      // The page is drawn anew, and looked at once more.
      return;
    }
    const inUse = standIn ?? this.#standIn;
    const file = inUse && this.#fileOf(inUse, 0);
    const has = file ? charactersOf(file) : () => false;
    for (const { plain, characters } of needy) {
      if (![...characters.keys()].every(has)) this.#lost.add(fontName(plain, 0));
    }
  }

  #hasFace(font: string): boolean {
    // PDFium asks for a font by its family, which is the beginning of its name.
    return OWN.test(font) || [...this.#needy.keys()].some((needy) => font.startsWith(needy));
  }

  /**
   * Loads what has been missing.
   *
   * @returns whether what is drawn has become out of date: then the document is to be opened and drawn anew
   */
  async loadWanted(): Promise<boolean> {
    const files = [...this.#wanted];
    this.#wanted.clear();
    await Promise.all(files.map((file) => this.#shelf.load(file)));
    const isStale = this.#isStale || files.length > 0;
    this.#isStale = false;
    return isStale;
  }

  /** The document's fonts in which text is not there, for lack of a face. */
  missing(): readonly string[] {
    const absent = [...this.#needy.values()]
      .filter(({ face }) => this.#shelf.isAbsent(face.regular))
      .map(({ name }) => name);
    return [...new Set([...absent, ...this.#lost])];
  }
}

/** Without what marks a subset. */
function plainName(font: string): string {
  return font.replace(/^[A-Z]{6}\+/, "").replaceAll(" ", "");
}
