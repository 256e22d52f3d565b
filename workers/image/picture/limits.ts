import { ServiceError } from "../../../src/shared/errors.ts";
import { LONGEST_SIDE } from "../browser/canvas.ts";
import type { Size } from "./size.ts";

/** The largest area of a canvas: in all browsers on computers, and in WebKit on Apple's phones and tablets. */
const LARGEST_AREA = LONGEST_SIDE ** 2;
const LARGEST_AREA_ON_APPLE_MOBILE = 8192 ** 2;

/** A picture is in memory up to three times: as bitmap, canvas and values. It may use half of the memory. */
const MEMORY_PER_PIXEL = 3 * 4 * 2;
const GIBIBYTE = 2 ** 30;

/** What limits the size of a picture on a device. */
export interface Device {
  readonly userAgent: string;
  /** In gibibytes, at most 8. Only Chromium states it. */
  readonly memory: number | undefined;
  /** The number of touch points of the screen, when known: see {@link learnTouchPoints}. */
  readonly touchPoints?: number | undefined;
}

let touchPoints: number | undefined;

/** Stores the number of touch points, which only a page knows. It distinguishes an iPad from a Mac. */
export function learnTouchPoints(count: number): void {
  touchPoints = count;
}

/** Returns this device. Without information, as in Node before 21, it counts as a computer. */
export function thisDevice(): Device {
  const { navigator } = globalThis;
  const memory = navigator && "deviceMemory" in navigator ? Number(navigator.deviceMemory) : undefined;
  return { userAgent: navigator?.userAgent ?? "", memory, touchPoints };
}

/** Returns how many pixels a picture may have. */
function largestArea(device: Device): number {
  const { memory } = device;
  const byBrowser = isAppleMobile(device) ? LARGEST_AREA_ON_APPLE_MOBILE : LARGEST_AREA;
  return memory === undefined ? byBrowser : Math.min(byBrowser, (memory * GIBIBYTE) / MEMORY_PER_PIXEL);
}

/** Whether the device is an iPhone, iPad or iPod. An iPad calls itself Macintosh, but no Mac has a touch screen. */
function isAppleMobile({ userAgent, touchPoints = 0 }: Device): boolean {
  return /\b(?:iPhone|iPad|iPod)\b/.test(userAgent) || (/\bMacintosh\b/.test(userAgent) && touchPoints > 1);
}

/**
 * Returns the limits of side and area that a picture exceeds, or `undefined`.
 *
 * @param longestSide the limit of a side. The longest that can be drawn by default.
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
 * Refuses a picture that is too large to be decoded or encoded, before memory is allocated.
 *
 * @param longestSide the limit of the output format, or of pictures that are not drawn
 * @throws {ServiceError} `input_too_large`, with the numbers
 */
export function checkSize({ width, height }: Size, device: Device, longestSide?: number): void {
  const exceeded = exceededLimits({ width, height }, device, longestSide);
  if (exceeded === undefined) return;
  const { side, area } = exceeded;
  const limit =
    width > side || height > side
      ? `this device allows ${side} on a side`
      : `this device allows ${millions(area)} million in all, not ${millions(width * height)}`;
  throw new ServiceError(
    "input_too_large",
    `The picture is too large: ${width} × ${height} pixels, and ${limit}. Make it smaller first.`,
    { width, height, longest_side: side, largest_area: area },
  );
}

function millions(pixels: number): string {
  return (pixels / 1e6).toFixed(1);
}
