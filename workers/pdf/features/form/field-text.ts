import { numberOf, type PdfDict } from "../../syntax/objects.ts";
import { nameText } from "../../syntax/serializer.ts";
import { rounded, type TextStyle } from "./text-style.ts";

/** The size of multiline text that has none. */
const MULTILINE_SIZE = 12;
/** The height of a line and of its letters, in units of the font size. */
const LINE_HEIGHT = 1.15;
const LETTER_HEIGHT = 0.72;
/** The widths of Helvetica from the space to the tilde. A standard font need not state widths. */
const HELVETICA = (
  "278 278 355 556 556 889 667 191 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556 556 556 278 278 584 " +
  "584 584 556 1015 667 667 722 722 667 611 778 722 278 500 667 556 833 722 778 667 778 722 667 611 722 667 944 667 667 " +
  "611 278 278 278 469 556 333 556 556 500 556 556 278 556 556 222 222 500 222 833 556 556 556 556 333 500 278 556 500 " +
  "722 500 500 500 334 260 334 584"
)
  .split(" ")
  .map(Number);
const USUAL_WIDTH = 556;
/** The width of most marks of ZapfDingbats. */
const MARK_WIDTH = 780;

/** A simple font (ISO 32000-2, 9.6) for the text of fields. */
export class FieldFont {
  /** ZapfDingbats, in whose codes readers take the marks of buttons. */
  static readonly marks = new FieldFont(0x20, Array<number>(95).fill(MARK_WIDTH), /^[\x21-\x7e]$/);
  readonly #first: number;
  readonly #widths: readonly number[];
  readonly #letters: RegExp;

  private constructor(first: number, widths: readonly number[], letters: RegExp) {
    this.#first = first;
    this.#widths = widths;
    this.#letters = letters;
  }

  /** Returns undefined for a font whose codes are not those of letters. */
  static of(font: PdfDict | undefined): FieldFont | undefined {
    if (!font?.is("Subtype", "Type1") && !font?.is("Subtype", "TrueType")) return undefined;
    const isWinAnsi = font.is("Encoding", "WinAnsiEncoding");
    const stated = font
      .array("Widths")
      .slice(0, 256)
      .map((width) => numberOf(width) ?? 0);
    const first = font.integer("FirstChar");
    const letters = isWinAnsi ? /^[\n\x20-\x7e\xa0-\xff]*$/ : /^[\n\x20-\x7e]*$/;
    return first === undefined || stated.length === 0
      ? new FieldFont(0x20, HELVETICA, letters)
      : new FieldFont(first, stated, letters);
  }

  /** Returns whether the font has the letters of a text at the codes of Latin-1. */
  has(text: string): boolean {
    return this.#letters.test(text);
  }

  /** Returns the width of a text, in units of the font size. */
  widthOf(text: string): number {
    let width = 0;
    for (let at = 0; at < text.length; at++)
      width += this.#widths[text.charCodeAt(at) - this.#first] ?? USUAL_WIDTH;
    return width / 1000;
  }
}

/** The size of a field on its page. */
export interface FieldSize {
  readonly width: number;
  readonly height: number;
}

/** A text to set in a field. */
interface FieldText extends FieldSize {
  readonly text: string;
  readonly font: FieldFont;
  /** The name of the font in the resources. */
  readonly fontName: string;
  readonly style: TextStyle;
  /** The space between the sides of the field and the text. */
  readonly padding: number;
  /** `Q`: 0 for text on the left, 1 in the middle, 2 on the right. */
  readonly side: number;
  readonly isMultiline: boolean;
}

/** Returns the content that shows a text in a field. */
export function fieldTextContent(field: FieldText): string {
  const { text, font, fontName, style, padding, width, height, side, isMultiline } = field;
  const [inWidth, inHeight] = [width - 2 * padding, height - 2 * padding];
  const size = style.size || usualSize(field, inWidth, inHeight);
  const lines = isMultiline ? wrapped(text, font, inWidth / size) : [text.replaceAll("\n", " ")];
  const set = [`${nameText(fontName)} ${rounded(size)} Tf`, ...style.operators].join(" ");
  const firstBaseline = isMultiline ? height - padding - size : (height - size * LETTER_HEIGHT) / 2;
  const shown = lines.map((line, index) => {
    const x = padding + ((inWidth - font.widthOf(line) * size) * side) / 2;
    const y = firstBaseline - index * size * LINE_HEIGHT;
    return `1 0 0 1 ${rounded(x)} ${rounded(y)} Tm <${hexOf(line)}> Tj`;
  });
  return `/Tx BMC q 0 0 ${rounded(width)} ${rounded(height)} re W n BT ${set} ${shown.join(" ")} ET Q EMC`;
}

/** Returns the size at which a line fills its field. */
function usualSize({ text, font, isMultiline }: FieldText, width: number, height: number): number {
  if (isMultiline) return MULTILINE_SIZE;
  return Math.max(Math.min(height / LINE_HEIGHT, width / (font.widthOf(text) || 1)), 1);
}

/** Breaks a text into lines, between words. A word that is too long gets a line of its own. */
function wrapped(text: string, font: FieldFont, width: number): readonly string[] {
  return text.split("\n").flatMap((paragraph) => {
    const lines: string[] = [];
    let line = "";
    let filled = 0;
    for (const word of paragraph.split(/(?<= )/)) {
      const needed = font.widthOf(word);
      if (line !== "" && filled + font.widthOf(word.trimEnd()) > width) {
        lines.push(line);
        line = "";
        filled = 0;
      }
      line += word;
      filled += needed;
    }
    return [...lines, line];
  });
}

const hexOf = (line: string) =>
  Array.from(line, (letter) => letter.charCodeAt(0).toString(16).padStart(2, "0")).join("");
