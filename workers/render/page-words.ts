import type { TextWord } from "../../src/shared/protocol.ts";
import type { Box } from "./page-geometry.ts";

/** Stands for a hyphen that divides a word at the end of a line. */
export const DIVIDING_HYPHEN = "\ufffe";

/** A character of a page. */
export interface Character {
  readonly text: string;
  /** Whether the document gives it no meaning. */
  readonly isUnknown: boolean;
  /** Where it is, in the coordinates of the page. Absent for white space. */
  readonly box: Box | undefined;
}

/** Makes words of the characters of a page. White space ends a word, and so does a hyphen at the end of a line. */
export class WordCollector {
  readonly #toShown: (box: Box) => Box;
  readonly #words: TextWord[] = [];
  #text = "";
  #box: Box | undefined;

  /** @param toShown returns the place of a box on the page as it is drawn */
  constructor(toShown: (box: Box) => Box) {
    this.#toShown = toShown;
  }

  add({ text, box }: Character): void {
    if (/^\s/.test(text)) {
      this.#endWord();
      return;
    }
    const divides = text === DIVIDING_HYPHEN;
    this.#text += divides ? "-" : text;
    if (box !== undefined) this.#box = this.#box ? around(this.#box, box) : box;
    if (divides) this.#endWord();
  }

  /** Returns the words. */
  end(): readonly TextWord[] {
    this.#endWord();
    return this.#words;
  }

  #endWord(): void {
    const text = readable(this.#text);
    const box = this.#box;
    this.#text = "";
    this.#box = undefined;
    if (text === "" || box === undefined) return;
    const { left, top, right, bottom } = this.#toShown(box);
    this.#words.push({
      text,
      x: inThousandths(left),
      y: inThousandths(top),
      width: inThousandths(right - left),
      height: inThousandths(bottom - top),
    });
  }
}

/** Returns the smallest box around two, in the coordinates of the page. */
function around(one: Box, other: Box): Box {
  return {
    left: Math.min(one.left, other.left),
    top: Math.max(one.top, other.top),
    right: Math.max(one.right, other.right),
    bottom: Math.min(one.bottom, other.bottom),
  };
}

/** Rounds, because PDFium computes with 24 bits. */
function inThousandths(points: number): number {
  return Math.round(points * 1000) / 1000;
}

/** Returns the text of PDFium as a reader expects it. PDFium ends a line with CR LF. */
export function readableText(raw: string): string {
  return raw
    .split("\r\n")
    .map((line) => readable(line).trimEnd())
    .filter((line) => line !== "")
    .map((line) => `${line}\n`)
    .join("");
}

/** Control characters and others that nothing shows. They come from fonts that give no meaning to their glyphs. */
const UNSEEN = /[\p{Cc}\uffff\ufeff]/gu;

function readable(line: string): string {
  return (
    line
      // The word continues: PDFium has joined the lines.
      .replaceAll(DIVIDING_HYPHEN, "")
      // A soft hyphen that is drawn inside a line is a hyphen.
      .replaceAll("\u00ad", "-")
      .replaceAll(/[\t\n]/g, " ")
      .replaceAll(UNSEEN, "")
  );
}
