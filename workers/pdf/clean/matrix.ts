/** A transformation (ISO 32000-2, 8.3.3): `a b c d e f`. */
export type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number];

/** A rectangle that is not empty. */
export interface Rectangle {
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
  readonly top: number;
}

/** Returns the bounds of a transformed rectangle. */
export function boundsOf({ left, bottom, right, top }: Rectangle, [a, b, c, d, e, f]: Matrix): Rectangle {
  const xs = [left, right].flatMap((x) => [bottom, top].map((y) => a * x + c * y + e));
  const ys = [left, right].flatMap((x) => [bottom, top].map((y) => b * x + d * y + f));
  return { left: Math.min(...xs), bottom: Math.min(...ys), right: Math.max(...xs), top: Math.max(...ys) };
}

/**
 * Returns the matrix that draws an appearance in the rectangle of its annotation (12.5.5, algorithm 8).
 *
 * @param bounds the bounds of the appearance's box after its own matrix
 * @returns undefined when the appearance has no size
 */
export function drawingMatrix(rect: Rectangle, bounds: Rectangle): Matrix | undefined {
  const width = bounds.right - bounds.left;
  const height = bounds.top - bounds.bottom;
  if (!(width > 0 && height > 0)) return undefined;
  const x = (rect.right - rect.left) / width;
  const y = (rect.top - rect.bottom) / height;
  return [x, 0, 0, y, rect.left - bounds.left * x, rect.bottom - bounds.bottom * y];
}

/**
 * Returns the matrix of an annotation that does not rotate with its page: its upper left corner stays where it is
 * (Table 167).
 *
 * @param turns the clockwise rotation of the page, in quarter turns
 */
export function turnedAbout({ left, top }: Rectangle, turns: number, [a, b, c, d, e, f]: Matrix): Matrix {
  const [cos, sin] = QUARTERS[((turns % 4) + 4) % 4] ?? [1, 0];
  const turned = (x: number, y: number) => [cos * x - sin * y, sin * x + cos * y] as const;
  const [one, other, place] = [turned(a, b), turned(c, d), turned(e - left, f - top)];
  return [...one, ...other, place[0] + left, place[1] + top];
}

/** Cosine and sine of counterclockwise quarter turns. */
const QUARTERS = [
  [1, 0],
  [0, 1],
  [-1, 0],
  [0, -1],
] as const;

/** Returns a matrix as operands of content, which has no exponents. */
export function operandsOf(matrix: Matrix): string {
  return matrix.map((value) => String(Number(value.toFixed(6)))).join(" ");
}
