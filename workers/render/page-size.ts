import { ServiceError } from "../../src/shared/errors.ts";
import { type Device, exceededLimits } from "../image/picture/limits.ts";
import type { Size } from "../image/picture/size.ts";

/** User units per inch, unless the page has a `UserUnit` (ISO 32000-2, 8.3.2.3). */
const UNITS_PER_INCH = 72;

/** The dots per inch of pictures of pages, unless the caller says another. */
export const USUAL_DPI = 150;

/** How large pictures of pages are: in dots per inch, or with a width in pixels. */
export type Scale = { readonly dpi: number } | { readonly width: number };

/**
 * Returns the size of a page in pixels, rounded.
 *
 * @param page size in user units
 * @param userUnit the length of a user unit, in 1/72 inch
 */
export function pixelSize(page: Size, userUnit: number, scale: Scale): Size {
  const perUnit = "dpi" in scale ? (userUnit * scale.dpi) / UNITS_PER_INCH : scale.width / (page.width || 1);
  const pixels = (units: number) => Math.max(1, Math.round(units * perUnit));
  return { width: pixels(page.width), height: pixels(page.height) };
}

/**
 * Refuses a page whose picture would be too large, before memory is allocated.
 *
 * @param number the page number, for the message
 * @param longestSide the limit of the output format, when it is smaller than the device's
 * @throws {ServiceError} `input_too_large`, with the largest resolution or width that fits
 */
export function checkPageSize(
  number: number,
  { width, height }: Size,
  scale: Scale,
  device: Device,
  longestSide?: number,
): void {
  const exceeded = exceededLimits({ width, height }, device, longestSide);
  if (exceeded === undefined) return;
  const { side, area } = exceeded;
  // Sizes are rounded, so half a pixel is subtracted.
  const shrink = Math.min(
    (side - 0.5) / Math.max(width, height),
    Math.sqrt(area / ((width + 1) * (height + 1))),
  );
  const isByDpi = "dpi" in scale;
  const value = isByDpi ? scale.dpi : scale.width;
  const largest = Math.floor(value * shrink);
  const name = isByDpi ? "dpi" : "width";
  const advice =
    largest >= 1 ? `With a ${name} of ${largest} it would fit.` : "It is too large at any resolution.";
  throw new ServiceError(
    "input_too_large",
    `Page ${number} would be ${width} × ${height} pixels ${isByDpi ? `at ${value} dpi` : `with a width of ${value}`}, ` +
      `and this device allows ${side} on a side and ${(area / 1e6).toFixed(1)} million in all. ${advice}`,
    {
      page: number,
      width,
      height,
      longest_side: side,
      largest_area: area,
      ...(largest >= 1 && { [`largest_${name}`]: largest }),
    },
  );
}
