import type { Color } from "./color.ts";
import { planColor } from "./color-description.ts";
import type { ColorConversion } from "./rgb-spaces.ts";

/** Changes pixels (red, green, blue, alpha with 8 bits each) in place. */
export type PixelChange = (pixels: Uint8ClampedArray<ArrayBuffer>) => void;

/** Light is counted in steps of 1/32767: the darkest step of sRGB with 8 bits is ten of them. */
const FULL_LIGHT = 32_767;
/** Colors outside sRGB come out darker than black or brighter than white: room for any sum of three products. */
const REACH = 6;
const BLACK = REACH * FULL_LIGHT;
const LARGEST_PRODUCT = BLACK / 3;
const VALUES = 256;

let sRgbOfLight: Uint8Array | undefined;

/** What turns pixels of a color into sRGB; nothing where they are to stay as they are. */
export function toSrgb(color: Color | undefined): PixelChange {
  const plan = planColor(color);
  return typeof plan === "string" ? () => {} : converter(plan);
}

/** Right to the rounding of the last bit; 12 megapixels take a tenth of a second. */
function converter(conversion: ColorConversion): PixelChange {
  sRgbOfLight ??= tabulateSrgb();
  const srgb = sRgbOfLight;
  // What red, green and blue add to the light of red; behind it, to that of green, then of blue. The loop runs for
  // millions of pixels, so it is written out.
  const light = tabulateProducts(conversion);
  return ({ buffer, byteOffset, length }) => {
    // Every platform with WebAssembly stores the lowest byte, red, first.
    const pixels = new Int32Array(buffer, byteOffset, length / 4);
    let known = 0;
    let converted = 0;
    for (let at = 0; at < pixels.length; at++) {
      const pixel = pixels[at] as number;
      // Neighbors are often equal. Black stays black.
      if (pixel !== known) {
        known = pixel;
        const r = pixel & 255;
        const g = ((pixel >>> 8) & 255) + VALUES;
        const b = ((pixel >>> 16) & 255) + 2 * VALUES;
        const toRed = (light[r] as number) + (light[g] as number) + (light[b] as number);
        const toGreen =
          (light[r + 3 * VALUES] as number) +
          (light[g + 3 * VALUES] as number) +
          (light[b + 3 * VALUES] as number);
        const toBlue =
          (light[r + 6 * VALUES] as number) +
          (light[g + 6 * VALUES] as number) +
          (light[b + 6 * VALUES] as number);
        converted =
          (pixel & 0xff000000) |
          (srgb[toRed] as number) |
          ((srgb[toGreen] as number) << 8) |
          ((srgb[toBlue] as number) << 16);
      }
      pixels[at] = converted;
    }
  };
}

/** The products of every value with every number of the matrix, so that a pixel takes sums alone. */
function tabulateProducts({ curves, matrix }: ColorConversion): Int32Array {
  const products = new Int32Array(9 * VALUES);
  matrix.forEach((row, channel) => {
    row.forEach((factor, color) => {
      for (let value = 0; value < VALUES; value++) {
        const light = (curves[color]?.(value / 255) ?? 0) * factor * FULL_LIGHT;
        const within = Math.max(-LARGEST_PRODUCT, Math.min(LARGEST_PRODUCT, Math.round(light)));
        // Each sum has one red product, which also shifts it to where the table has black.
        products[(channel * 3 + color) * VALUES + value] = color === 0 ? within + BLACK : within;
      }
    });
  });
  return products;
}

function tabulateSrgb(): Uint8Array {
  return Uint8Array.from({ length: 2 * BLACK + 1 }, (_, index) => {
    const light = Math.min(1, Math.max(0, (index - BLACK) / FULL_LIGHT));
    const value = light <= 0.0031308 ? light * 12.92 : 1.055 * light ** (1 / 2.4) - 0.055;
    return Math.round(value * 255);
  });
}
