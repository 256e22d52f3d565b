import type { Box } from "./page-geometry.ts";
import type { Placement } from "./text-page.ts";

/** A character that is drawn. */
export interface DrawnCharacter {
  readonly box: Box;
  readonly placement: Placement;
}

/**
 * How far apart two characters of a word may be along the line, and across it as superscripts are, in sizes of their font. poppler
 * ends words at 0.1, too. 0.6 is less than the distance of two lines.
 */
const FARTHEST_ALONG = 0.1;
const FARTHEST_BACK = -0.3;
const FARTHEST_ACROSS = 0.6;
/** The least cosine of the angle between two characters of a line. */
const SAME_DIRECTION = 0.99;
/** Around 45°, the width of a character cannot be told from the upright box around it. */
const LEAST_DIFFERENCE = 0.2;
/** How far a character that is drawn again, to look bold, is from the first one, in parts of its box. */
const REPEATED = 0.25;

/**
 * Returns whether a character is drawn right behind another one, with no space between them. PDFium adds blanks there: before a
 * superscript, and between characters that are rotated or placed one by one.
 */
export function follows(before: DrawnCharacter, after: DrawnCharacter): boolean {
  const [x, y] = before.placement.direction;
  const [otherX, otherY] = after.placement.direction;
  if (x * otherX + y * otherY < SAME_DIRECTION) return false;
  const sizes = [before.placement.size, after.placement.size];
  const end = endAlong(before.box, x, y);
  const right = after.placement.origin[0];
  const up = after.placement.origin[1];
  const across = (up - before.placement.origin[1]) * x - (right - before.placement.origin[0]) * y;
  if (end === undefined || Math.abs(across) > FARTHEST_ACROSS * Math.max(...sizes)) return false;
  const gap = (right * x + up * y - end) / Math.min(...sizes);
  return gap >= FARTHEST_BACK && gap <= FARTHEST_ALONG;
}

/** Returns what divides two characters between which PDFium adds no blank, although they are far apart: as in two fields. */
export function gapBetween(before: Box, after: Box): "" | " " | "\r\n" {
  const sides = [before, after].flatMap(({ left, top, right, bottom }) => [right - left, top - bottom]);
  const most = Math.max(...sides);
  if (after.bottom - before.top > most || before.bottom - after.top > most) return "\r\n";
  return after.left - before.right > most || before.left - after.right > most ? " " : "";
}

/** Returns whether a character is drawn where an equal one is already. Some programs do so to make it bold. */
export function repeats(before: Box, after: Box): boolean {
  const width = Math.min(before.right - before.left, after.right - after.left);
  const height = Math.min(before.top - before.bottom, after.top - after.bottom);
  const most = 2 * REPEATED * Math.min(width, height);
  return (
    Math.abs(before.left + before.right - after.left - after.right) < most &&
    Math.abs(before.top + before.bottom - after.top - after.bottom) < most
  );
}

/** Returns where a rectangle ends in its own direction, of which `box` is the upright box. */
function endAlong({ left, top, right, bottom }: Box, x: number, y: number): number | undefined {
  const [cosine, sine] = [Math.abs(x), Math.abs(y)];
  const difference = cosine * cosine - sine * sine;
  if (Math.abs(difference) < LEAST_DIFFERENCE) return undefined;
  const width = ((right - left) * cosine - (top - bottom) * sine) / difference;
  return ((left + right) * x + (top + bottom) * y + width) / 2;
}
