import { contextOf } from "./canvas.ts";

/** Red, green, blue and alpha in sRGB, from 0 to 255. */
export type Rgba = readonly [red: number, green: number, blue: number, alpha: number];

/** As canvases give back colors of sRGB: opaque ones, and others. */
const HEXADECIMAL = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/;
const LEGACY = /^rgba\((\S+), (\S+), (\S+), (\S+)\)$/;
/** As they give back mixtures, each from 0 to 1, or beyond where the color is outside sRGB. */
const MIXTURE = /^color\(srgb (\S+) (\S+) (\S+?)(?: \/ (\S+))?\)$/;

/** Whether a text is a color that CSS knows. */
export function isColor(text: string): boolean {
  const context = contextOf(new OffscreenCanvas(1, 1));
  // What is no color leaves the one before.
  const taken = ["#000000", "#ffffff"].map((before) => {
    context.fillStyle = before;
    context.fillStyle = text;
    return context.fillStyle;
  });
  return taken[0] === taken[1];
}

/**
 * The values of a color, without drawing it: not every browser gives back what is drawn.
 *
 * @returns nothing for what is no color
 */
export function valuesOfColor(color: string): Rgba | undefined {
  if (!isColor(color)) return undefined;
  const context = contextOf(new OffscreenCanvas(1, 1));
  // Those of other spaces are given back as they are, unless they are mixed.
  for (const text of [color, `color-mix(in srgb, ${color}, ${color})`]) {
    context.fillStyle = text;
    const values = parsed(String(context.fillStyle));
    if (values !== undefined) return values;
  }
  return undefined;
}

/** The same with white showing through what is transparent. */
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
  // What a color does not say ("none") counts as 0.
  if (shares.length > 0) return rgba(shares.map((share = "1") => 255 * (Number(share) || 0)));
  return undefined;
}

function rgba(numbers: readonly number[]): Rgba {
  const [red = 0, green = 0, blue = 0, alpha = 255] = new Uint8ClampedArray(numbers);
  return [red, green, blue, alpha];
}
