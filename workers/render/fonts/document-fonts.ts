import { type Face, faceOfCharset, fontName } from "./faces.ts";
import type { FontShelf } from "./font-shelf.ts";

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
  /** Fonts for which PDFium has something, but not all of their characters. */
  readonly #blank = new Map<string, NeedyFont>();
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
   * Has characters that PDFium's own fonts do not have drawn by a face.
   *
   * @param name of their font, as the document has it, its bytes each as a character
   */
  standIn(name: string, face: Face): void {
    const plain = name.replace(/^[A-Z]{6}\+/, "").replaceAll(" ", "");
    // PDFium asks for a font by its family, which is the beginning of its name.
    const hasFace = [...this.#needy.keys()].some((needy) => plain.startsWith(needy));
    if (OWN.test(plain) || hasFace) return;
    this.#blank.set(plain, { name: fontName(plain, 0), face });
    if (this.#standIn === face) return;
    this.#standIn = face;
    if (this.#fileOf(face, 0) !== undefined) this.#isStale = true;
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

  /** The document's fonts for which there is no face, so that text in them is not there. */
  missing(): readonly string[] {
    return [...this.#needy.values(), ...this.#blank.values()]
      .filter(({ face }) => this.#shelf.isAbsent(face.regular))
      .map(({ name }) => name);
  }
}
