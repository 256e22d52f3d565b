import { ServiceError } from "../../src/shared/errors.ts";
import { type Device, exceededLimits } from "../image/limits.ts";

/** A width and a height. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** User units to an inch, where the page does not say otherwise (ISO 32000-2, 8.3.2.3). */
const UNITS_PER_INCH = 72;

/**
 * A page's size in pixels, to the nearest.
 *
 * @param page in user units
 * @param userUnit how many 72nds of an inch a unit is
 */
export function pixelSize(page: Size, userUnit: number, dpi: number): Size {
  const pixels = (units: number) => Math.max(1, Math.round((units * userUnit * dpi) / UNITS_PER_INCH));
  return { width: pixels(page.width), height: pixels(page.height) };
}

/**
 * Refuses a page that would be too large a picture, before any memory is spent on it.
 *
 * @param number the page's, for the message
 * @param longestSide of the output's format, when that is less
 * @throws {ServiceError} `input_too_large`, with the numbers and the resolution that would do
 */
export function checkPageSize(
  number: number,
  { width, height }: Size,
  dpi: number,
  device: Device,
  longestSide?: number,
): void {
  const exceeded = exceededLimits({ width, height }, device, longestSide);
  if (exceeded === undefined) return;
  const { side, area } = exceeded;
  // Sizes are rounded: a half pixel less is on the safe side.
  const shrink = Math.min(
    (side - 0.5) / Math.max(width, height),
    Math.sqrt(area / ((width + 1) * (height + 1))),
  );
  const largestDpi = Math.floor(dpi * shrink);
  const advice =
    largestDpi >= 1 ? `With a dpi of ${largestDpi} it would fit.` : "It is too large at any resolution.";
  throw new ServiceError(
    "input_too_large",
    `Page ${number} would be ${width} × ${height} pixels at ${dpi} dpi, and a picture may have ${side} on a ` +
      `side and ${(area / 1e6).toFixed(1)} million in all here. ${advice}`,
    {
      page: number,
      width,
      height,
      longest_side: side,
      largest_area: area,
      ...(largestDpi >= 1 && { largest_dpi: largestDpi }),
    },
  );
}
