import type { Box } from "./page-geometry.ts";
import type { Character } from "./page-words.ts";

/** A character of a script that is written from right to left. */
const RIGHT_TO_LEFT =
  /^[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
/** What belongs to text on both of its sides: spaces, and marks of letters. */
const NEUTRAL = /^(?: |\p{M}+)$/u;
/** The most characters of a line. Longer ones stay as they are. */
const MOST_OF_LINE = 10_000;

/**
 * Puts text that is written from right to left in the order of reading, the first character at the right. PDFium turns such text
 * round, and a page that draws it in the order of reading then has its last character first.
 */
export class RightToLeft {
  readonly #toShown: (box: Box) => Box;
  readonly #take: (character: Character) => void;
  readonly #waiting: Character[] = [];

  /** @param toShown returns the place of a box on the page as it is drawn */
  constructor(toShown: (box: Box) => Box, take: (character: Character) => void) {
    this.#toShown = toShown;
    this.#take = take;
  }

  add(character: Character): void {
    const isWaiting = this.#waiting.length > 0 && NEUTRAL.test(character.text);
    if (!isWaiting && !RIGHT_TO_LEFT.test(character.text)) {
      this.end();
      this.#take(character);
    } else if (this.#waiting.push(character) >= MOST_OF_LINE) this.#release();
  }

  /** Passes on the characters that wait for others of their line. */
  end(): void {
    let last = this.#waiting.length;
    while (last > 0 && this.#waiting[last - 1]?.text === " ") last--;
    const blanks = this.#waiting.splice(last);
    if (this.#runsRight()) this.#waiting.reverse();
    this.#release();
    for (const blank of blanks) this.#take(blank);
  }

  #release(): void {
    for (const character of this.#waiting.splice(0)) this.#take(character);
  }

  /** Whether most characters stand at the right of the one before them. */
  #runsRight(): boolean {
    const places = this.#waiting.flatMap(({ box }) => (box ? [this.#toShown(box).left] : []));
    const steps = places.slice(1).map((place, index) => Math.sign(place - (places[index] ?? 0)));
    return steps.reduce((sum, step) => sum + step, 0) > 0;
  }
}
