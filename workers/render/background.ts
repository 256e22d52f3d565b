import { ServiceError } from "../../src/errors.ts";
import { isColour } from "../image/backdrop.ts";
import { type Paper, WHITE } from "./draw-page.ts";

/**
 * The paper of a CSS colour: white shows through one that is transparent, where the picture has no transparency.
 *
 * @throws {ServiceError} `invalid_parameter`
 */
export function paperOf(background: string | undefined, alpha: boolean): Paper {
  if (background === undefined) return WHITE;
  if (!isColour(background)) throw noColour();
  const context = new OffscreenCanvas(1, 1).getContext("2d");
  if (context === null) return WHITE;
  for (const colour of alpha ? [background] : ["white", background]) {
    context.fillStyle = colour;
    context.fillRect(0, 0, 1, 1);
  }
  const [red = 255, green = 255, blue = 255, opacity = 255] = context.getImageData(0, 0, 1, 1).data;
  return [red, green, blue, opacity];
}

function noColour(): ServiceError {
  return new ServiceError(
    "invalid_parameter",
    'The field "background" must be a colour of CSS, as white, #ff8800 or rgb(255 136 0).',
    { parameter: "background" },
  );
}
