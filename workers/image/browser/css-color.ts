import { ServiceError } from "../../../src/shared/errors.ts";
import { contextOf } from "./canvas.ts";

/** Red, green, blue and alpha in sRGB, from 0 to 255. */
export type Rgba = readonly [red: number, green: number, blue: number, alpha: number];

/** How a canvas returns sRGB colors, opaque and transparent. */
const HEXADECIMAL = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/;
const LEGACY = /^rgba\((\S+), (\S+), (\S+), (\S+)\)$/;
/** How it returns a `color-mix()`: components from 0 to 1, or outside that range for a color outside sRGB. */
const MIXTURE = /^color\(srgb (\S+) (\S+) (\S+?)(?: \/ (\S+))?\)$/;

/** Returns the error for a field `background` that is no CSS color. */
export function invalidBackground(): ServiceError {
  return new ServiceError(
    "invalid_parameter",
    'The field "background" must be a color of CSS, as white, #ff8800 or rgb(255 136 0).',
    { parameter: "background" },
  );
}

/** Whether a text is a CSS color. */
export function isColor(text: string): boolean {
  const context = contextOf(new OffscreenCanvas(1, 1));
  // Assigning an invalid color keeps the previous one.
  const taken = ["#000000", "#ffffff"].map((before) => {
    context.fillStyle = before;
    context.fillStyle = text;
    return context.fillStyle;
  });
  return taken[0] === taken[1];
}

/**
 * Returns the values of a CSS color without drawing it, because some browsers change the pixels of a canvas.
 *
 * @returns `undefined` for an invalid color
 */
export function valuesOfColor(color: string): Rgba | undefined {
  if (!isColor(color)) return undefined;
  const context = contextOf(new OffscreenCanvas(1, 1));
  // The canvas returns colors of other spaces unchanged, unless they are mixed.
  for (const text of [color, `color-mix(in srgb, ${color}, ${color})`]) {
    context.fillStyle = text;
    const values = parsed(String(context.fillStyle));
    if (values !== undefined) return values;
  }
  return undefined;
}

/** Returns the values of a CSS color on a white background. */
export function valuesOnWhite(color: string): Rgba | undefined {
  const values = valuesOfColor(color);
  if (values === undefined) return undefined;
  const [red, green, blue, alpha] = values;
  const seen = (value: number) => 255 + ((value - 255) * alpha) / 255;
  return rgba([seen(red), seen(green), seen(blue), 255]);
}

function parsed(serialized: string): Rgba | undefined {
  const [, ...pairs] = HEXADECIMAL.exec(serialized) ?? [];
  if (pairs.length > 0) return rgba(pairs.map((pair) => Number.parseInt(pair, 16)));
  const [, ...legacy] = LEGACY.exec(serialized) ?? [];
  if (legacy.length > 0) return rgba(legacy.map((number, index) => Number(number) * (index < 3 ? 1 : 255)));
  const [, ...shares] = MIXTURE.exec(serialized) ?? [];
  // A missing component ("none") counts as 0.
  if (shares.length > 0) return rgba(shares.map((share = "1") => 255 * (Number(share) || 0)));
  return undefined;
}

function rgba(numbers: readonly number[]): Rgba {
  const [red = 0, green = 0, blue = 0, alpha = 255] = new Uint8ClampedArray(numbers);
  return [red, green, blue, alpha];
}
