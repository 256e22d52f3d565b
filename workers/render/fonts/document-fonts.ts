import { charactersOf } from "./character-map.ts";
import { type Face, faceOfCharacter, faceOfCharset, fontName } from "./faces.ts";
import type { FontLibrary } from "./font-library.ts";

/** The characters of a page in a font that is not embedded. Only characters that PDFium's own fonts lack. */
export interface ForeignText {
  /** The name of the font: each of its bytes as a character. */
  readonly font: string;
  /** The number of occurrences of each code point. */
  readonly characters: ReadonlyMap<number, number>;
}

/** From this weight on, the bold face is used. */
const BOLD_FROM = 600;
/** PDFium asks for this name when a font lacks single characters. */
const FALLBACK_NAME = "Helvetica";
/** PDFium has these fonts itself. */
const OWN = /^(?:Symbol|ZapfDingbats)/;

/** A font of the document and its substitute. */
interface SubstitutedFont {
  /** The decoded name. */
  readonly name: string;
  readonly face: Face;
}

/** Finds substitutes for the fonts that one document names and does not contain. */
export class DocumentFonts {
  readonly #library: FontLibrary;
  /** Files that are needed and not loaded yet. */
  readonly #wanted = new Set<string>();
  /** Fonts that need a substitute for their character set, by the bytes of their names. */
  readonly #substituted = new Map<string, SubstitutedFont>();
  /** Fonts with characters that neither PDFium nor the fallback has. */
  readonly #incomplete = new Set<string>();
  /** The face for single characters that PDFium's own fonts lack. */
  #fallback: Face | undefined;
  #isFallbackRequested = false;
  /** Whether the page must be drawn again with another face, which is loaded already. */
  #isStale = false;

  constructor(library: FontLibrary) {
    this.#library = library;
  }

  /**
   * Returns the file for a font.
   *
   * @param name the name of the font, each byte as a character
   * @param weight from 100 to 900
   * @param charset a Windows character set
   * @returns `undefined` when PDFium has a font of its own, or the file is not loaded
   */
  find(name: string, weight: number, charset: number): Uint8Array<ArrayBuffer> | undefined {
    if (name === FALLBACK_NAME) this.#isFallbackRequested = true;
    const face = faceOfCharset(charset);
    if (face !== undefined) this.#substituted.set(name, { name: fontName(name, charset), face });
    const chosen = face ?? (name === FALLBACK_NAME ? this.#fallback : undefined);
    return chosen && this.#fileOf(chosen, weight);
  }

  #fileOf(face: Face, weight: number): Uint8Array<ArrayBuffer> | undefined {
    const files = weight >= BOLD_FROM ? [face.bold, face.regular] : [face.regular];
    const file = files.find((one) => !this.#library.isAbsent(one));
    if (file === undefined) return undefined;
    const bytes = this.#library.get(file);
    if (bytes === undefined) this.#wanted.add(file);
    return bytes;
  }

  /** Whether a font may lack characters of a page. The page may then have blanks. */
  get needsFallback(): boolean {
    return this.#isFallbackRequested;
  }

  /**
   * Chooses the face for characters that PDFium's own fonts lack. Only one face can be used at a time: the one for most
   * of the characters of the page.
   *
   * @param texts all such text of a page
   */
  chooseFallback(texts: readonly ForeignText[]): void {
    const uncovered = texts
      .map(({ font, characters }) => ({ plain: plainName(font), characters }))
      .filter(({ plain }) => !this.#hasFace(plain));
    const counts = new Map<Face, number>();
    for (const { characters } of uncovered) {
      for (const [codePoint, count] of characters) {
        const face = faceOfCharacter(codePoint);
        if (face === undefined || this.#library.isAbsent(face.regular)) continue;
        counts.set(face, (counts.get(face) ?? 0) + count);
      }
    }
    const chosen = [...counts].sort(([, one], [, other]) => other - one)[0]?.[0];
    if (chosen !== undefined && chosen !== this.#fallback) {
      this.#fallback = chosen;
      if (this.#fileOf(chosen, 0) !== undefined) this.#isStale = true;
      // The caller draws the page again and calls this again.
      return;
    }
    const file = this.#fallback && this.#fileOf(this.#fallback, 0);
    const has = file ? charactersOf(file) : () => false;
    for (const { plain, characters } of uncovered) {
      if (![...characters.keys()].every(has)) this.#incomplete.add(fontName(plain, 0));
    }
  }

  #hasFace(font: string): boolean {
    // PDFium asks for the family of a font, which is the start of its name.
    return OWN.test(font) || [...this.#substituted.keys()].some((known) => font.startsWith(known));
  }

  /**
   * Loads the missing files.
   *
   * @returns whether drawn pages are out of date. The caller then opens the document again and draws again
   */
  async loadWanted(): Promise<boolean> {
    const files = [...this.#wanted];
    this.#wanted.clear();
    await Promise.all(files.map((file) => this.#library.load(file)));
    const isStale = this.#isStale || files.length > 0;
    this.#isStale = false;
    return isStale;
  }

  /** Returns the fonts of the document whose text is not drawn completely. */
  missing(): readonly string[] {
    const absent = [...this.#substituted.values()]
      .filter(({ face }) => this.#library.isAbsent(face.regular))
      .map(({ name }) => name);
    return [...new Set([...absent, ...this.#incomplete])];
  }
}

/** Returns a font name without the prefix of a subset and without spaces. */
function plainName(font: string): string {
  return font.replace(/^[A-Z]{6}\+/, "").replaceAll(" ", "");
}
