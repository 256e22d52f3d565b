import { ServiceError } from "../../src/shared/errors.ts";
import { valuesOfColour, valuesOnWhite } from "../image/color/css-color.ts";
import { type Paper, WHITE } from "./draw-page.ts";

/**
 * The paper of a CSS colour: white shows through one that is transparent, where the picture has no transparency.
 *
 * @throws {ServiceError} `invalid_parameter`
 */
export function paperOf(background: string | undefined, alpha: boolean): Paper {
  if (background === undefined) return WHITE;
  const values = alpha ? valuesOfColour(background) : valuesOnWhite(background);
  if (values === undefined) throw noColour();
  return values;
}

function noColour(): ServiceError {
  return new ServiceError(
    "invalid_parameter",
    'The field "background" must be a colour of CSS, as white, #ff8800 or rgb(255 136 0).',
    { parameter: "background" },
  );
}
