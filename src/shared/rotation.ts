import { ServiceError } from "./errors.ts";
import { invalidParameter } from "./failure.ts";
import { type PageItem, parsePageSelection, resolvePageSelection } from "./page-selection.ts";

/** A clockwise rotation, in degrees. */
export type Turn = 0 | 90 | 180 | 270;

/** Returns the rotation of a page, by its number from 1. */
export type Turns = (page: number) => Turn;

/** Some pages and their rotation: `90:1-3`. */
interface RotationGroup {
  readonly turn: Turn;
  /** Absent for all pages. */
  readonly pages: readonly PageItem[] | undefined;
  /** The position of the group, for errors. */
  readonly position: number;
}

const TURNS = new Map<string, Turn>([
  ["90", 90],
  ["-90", 270],
  ["180", 180],
]);

/** An angle, up to the pages. */
const ANGLE = /^[ \t]*(-?\d+)[ \t]*(:|$)/;

/** The rotation of pages that no field rotates. */
export const NO_TURNS: Turns = () => 0;

/**
 * Parses a rotation: `90` for all pages, or groups such as `90:1-3,5;-90:last`. {@link resolveRotation} checks it against a
 * document.
 *
 * @throws {ServiceError} `invalid_parameter` for a wrong angle, `invalid_page_selection` with `details.position` in the text
 */
export function parseRotation(text: string, parameter = "rotate"): readonly RotationGroup[] {
  let position = 0;
  return text.split(";").map((group) => {
    const start = position;
    const end = start + group.length;
    position = end + 1;
    const [head = "", angle = "", colon] = ANGLE.exec(group) ?? [];
    const turn = TURNS.get(angle);
    if (turn === undefined)
      throw invalidParameter(
        parameter,
        `The field "${parameter}" must be 90, -90 or 180, or such angles with pages, as in 90:1-3,5;-90:last.`,
      );
    const pages = colon === ":" ? parsePageSelection(text, start + head.length, end) : undefined;
    return { turn, pages, position: start };
  });
}

/**
 * Returns the rotation of each page of a document of `pageCount` pages. Without a text, pages are not rotated.
 *
 * @param primary the number of the primary image, for a file of images
 * @throws {ServiceError} `invalid_page_selection` for a page that does not exist, or that is named twice
 */
export function resolveRotation(text: string | undefined, pageCount: number, primary?: number): Turns {
  if (text === undefined) return NO_TURNS;
  const turns = new Map<number, Turn>();
  for (const { turn, pages = parsePageSelection("1-"), position } of parseRotation(text)) {
    for (const item of resolvePageSelection(pages, pageCount, primary)) {
      for (const page of item.pages) {
        if (turns.has(page)) throw namedTwice(page, position, pageCount);
        turns.set(page, turn);
      }
    }
  }
  return (page) => turns.get(page) ?? 0;
}

/** Returns the sum of two rotations. */
export function addTurns(one: number, other: number): Turn {
  const degrees = (((one + other) % 360) + 360) % 360;
  // The sum of multiples of 90.
  return degrees as Turn;
}

function namedTwice(page: number, position: number, pageCount: number): ServiceError {
  return new ServiceError(
    "invalid_page_selection",
    `The field "rotate" names page ${page} twice. Name each page once.`,
    { position, page_count: pageCount },
  );
}
