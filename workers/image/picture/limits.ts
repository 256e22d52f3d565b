import { ServiceError } from "../../../src/shared/errors.ts";
import type { Size } from "./size.ts";

/** Beyond this, Chromium and WebKit give a canvas that stays blank, and say nothing. */
export const LONGEST_SIDE = 16_384;

/** What a canvas may hold at most in all browsers on computers; and in WebKit on telephones and tablets. */
const LARGEST_AREA = LONGEST_SIDE ** 2;
const LARGEST_AREA_ON_TELEPHONES = 8192 ** 2;

/** A picture is in memory up to three times, as bitmap, canvas and values of four bytes: in half of all memory. */
const MEMORY_PER_PIXEL = 3 * 4 * 2;
const GIBIBYTE = 2 ** 30;

/** What of the device decides how large a picture may be. */
export interface Device {
  readonly userAgent: string;
  /** In gibibytes, 8 at most, as Chromium tells it; others do not tell. */
  readonly memory: number | undefined;
  /** How many fingers its screen tells apart, where that is known: see {@link learnTouchPoints}. */
  readonly touchPoints?: number | undefined;
}

let touchPoints: number | undefined;

/** Takes what only a page is told of the device that this runs on: by it, an iPad can be told from a Macintosh. */
export function learnTouchPoints(told: number): void {
  touchPoints = told;
}

/** The device that this runs on. Where nothing tells of it, as in Node before 21, it is a computer. */
export function thisDevice(): Device {
  const { navigator } = globalThis;
  const memory = navigator && "deviceMemory" in navigator ? Number(navigator.deviceMemory) : undefined;
  return { userAgent: navigator?.userAgent ?? "", memory, touchPoints };
}

/** How many pixels a picture may have. */
export function largestArea(device: Device): number {
  const { memory } = device;
  const byBrowser = isTelephone(device) ? LARGEST_AREA_ON_TELEPHONES : LARGEST_AREA;
  return memory === undefined ? byBrowser : Math.min(byBrowser, (memory * GIBIBYTE) / MEMORY_PER_PIXEL);
}

/** Whether it is a telephone or tablet of Apple's. Tablets call themselves Macintosh, none of which feels fingers. */
function isTelephone({ userAgent, touchPoints = 0 }: Device): boolean {
  return /\b(?:iPhone|iPad|iPod)\b/.test(userAgent) || (/\bMacintosh\b/.test(userAgent) && touchPoints > 1);
}

/**
 * How many pixels a side and a whole picture may have, when one of this size has more.
 *
 * @param longestSide what a side may have; as much as can be drawn when absent
 */
export function exceededLimits(
  { width, height }: Size,
  device: Device,
  longestSide = LONGEST_SIDE,
): { readonly side: number; readonly area: number } | undefined {
  const area = Math.floor(largestArea(device));
  const fits = width <= longestSide && height <= longestSide && width * height <= area;
  return fits ? undefined : { side: longestSide, area };
}

/**
 * Refuses a picture that cannot be decoded here, or not be written, before any memory is spent on it.
 *
 * @param longestSide of the output's format, when that is less than can be drawn, or of what is not drawn
 * @throws {ServiceError} `input_too_large`, with the numbers
 */
export function checkSize({ width, height }: Size, device: Device, longestSide?: number): void {
  const exceeded = exceededLimits({ width, height }, device, longestSide);
  if (exceeded === undefined) return;
  const { side, area } = exceeded;
  const limit =
    width > side || height > side
      ? `a side may have ${side} here`
      : `it may have ${millions(area)} million in all here, and has ${millions(width * height)}`;
  throw new ServiceError(
    "input_too_large",
    `The picture is too large: ${width} × ${height} pixels, and ${limit}. Make it smaller first.`,
    { width, height, longest_side: side, largest_area: area },
  );
}

function millions(pixels: number): string {
  return (pixels / 1e6).toFixed(1);
}
