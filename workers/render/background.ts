import { invalidBackground, valuesOfColor, valuesOnWhite } from "../image/browser/css-color.ts";
import { type Paper, WHITE } from "./draw-page.ts";

/**
 * Converts a CSS color to the color of the paper. A transparent color is blended with white when the output has no alpha.
 *
 * @throws {ServiceError} `invalid_parameter`
 */
export function paperOf(background: string | undefined, alpha: boolean): Paper {
  if (background === undefined) return WHITE;
  const values = alpha ? valuesOfColor(background) : valuesOnWhite(background);
  if (values === undefined) throw invalidBackground();
  return values;
}
