import { numbersOf, type PdfObject } from "../pdf/syntax/objects.ts";

/**
 * The part of a transformation that scales and rotates (ISO 32000-2, 8.3.4): x' = a x + c y, y' = b x + d y. Where
 * something is drawn does not change its size, so translations are left out.
 */
export type Scale = readonly [a: number, b: number, c: number, d: number];

export const UNSCALED: Scale = [1, 0, 0, 1];

/** Returns the transformation that does one and then another. */
export function times([a, b, c, d]: Scale, [A, B, C, D]: Scale): Scale {
  return [a * A + b * C, a * B + b * D, c * A + d * C, c * B + d * D];
}

/** Returns a transformation in few digits, to find equal ones. */
export function textOf(scale: Scale): string {
  return scale.map((value) => value.toPrecision(4)).join(" ");
}

/** Returns the scale of the `Matrix` of a form or a pattern. Default: as it is. */
export function scaleOf(matrix: PdfObject | undefined): Scale {
  const [a, b, c, d] = numbersOf(matrix, 6) ?? UNSCALED;
  return [a ?? 1, b ?? 0, c ?? 0, d ?? 1];
}
