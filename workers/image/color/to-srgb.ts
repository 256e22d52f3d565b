import type { Color } from "./color.ts";
import { conversionToSrgb } from "./color-description.ts";
import { type ColorConversion, srgbOfLight } from "./rgb-spaces.ts";
import { toneMapper } from "./tone-mapping.ts";

/** Changes pixels in place: red, green, blue and alpha with 8 bits each. */
type PixelChange = (pixels: Uint8ClampedArray<ArrayBuffer>) => void;

/** Linear light in steps of 1/32767. The darkest step of sRGB with 8 bits is ten of them. */
const FULL_LIGHT = 32_767;
/**
 * The table covers linear light from -6 to 6, because colors outside sRGB are darker than black or brighter than white.
 * The range holds any sum of three products.
 */
const REACH = 6;
const BLACK = REACH * FULL_LIGHT;
const LARGEST_PRODUCT = BLACK / 3;
const VALUES = 256;

let sRgbOfLight: Uint8Array | undefined;

/**
 * Returns a function that converts pixels of a color space to sRGB. It does nothing when no conversion is needed or
 * possible.
 */
export function toSrgb(color: Color | undefined): PixelChange {
  const conversion = conversionToSrgb(color);
  if (typeof conversion === "string") return () => {};
  return "curves" in conversion ? converter(conversion) : toneMapper(conversion);
}

/** Returns a function that converts pixels, exact to the rounding of the last bit. 12 megapixels take 0.1 s. */
function converter(conversion: ColorConversion): PixelChange {
  sRgbOfLight ??= tabulateSrgb();
  const srgb = sRgbOfLight;
  // The contributions of red, green and blue to linear red, then to linear green, then to linear blue. The
  // loop is unrolled because it runs for millions of pixels.
  const light = tabulateProducts(conversion);
  return ({ buffer, byteOffset, length }) => {
    // WebAssembly platforms are little-endian, so red is the lowest byte.
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

/** Tabulates the products of every value and every number of the matrix, so that a pixel takes additions only. */
function tabulateProducts({ curves, matrix }: ColorConversion): Int32Array {
  const products = new Int32Array(9 * VALUES);
  matrix.forEach((row, channel) => {
    row.forEach((factor, color) => {
      for (let value = 0; value < VALUES; value++) {
        const light = (curves[color]?.(value / 255) ?? 0) * factor * FULL_LIGHT;
        const within = Math.max(-LARGEST_PRODUCT, Math.min(LARGEST_PRODUCT, Math.round(light)));
        // Each sum has one product for red, which also adds the offset of black in the table.
        products[(channel * 3 + color) * VALUES + value] = color === 0 ? within + BLACK : within;
      }
    });
  });
  return products;
}

function tabulateSrgb(): Uint8Array {
  return Uint8Array.from({ length: 2 * BLACK + 1 }, (_, index) => {
    const light = Math.min(1, Math.max(0, (index - BLACK) / FULL_LIGHT));
    return Math.round(srgbOfLight(light) * 255);
  });
}
