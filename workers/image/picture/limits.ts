import { type ErrorDetails, ServiceError } from "../../../src/shared/errors.ts";
import type { FormatId } from "../../../src/shared/formats.ts";
import { touchPoints } from "../../touch-points.ts";
import { LONGEST_SIDE } from "../browser/canvas.ts";
import type { Size } from "./size.ts";

/** The largest area of a canvas: in all browsers on computers, and in WebKit on Apple's phones and tablets. */
const LARGEST_AREA = LONGEST_SIDE ** 2;
const LARGEST_AREA_ON_APPLE_MOBILE = 8192 ** 2;

/** A drawn page is in memory up to three times: as bitmap, canvas and values. It may use half of the memory. */
const MEMORY_PER_PIXEL = 3 * 4 * 2;
const GIBIBYTE = 2 ** 30;

/** The most memory that a conversion takes, in bytes, over all processes of the browser. */
const MOST_MEMORY = 1.42e9;

/** Bytes for each pixel. */
interface PixelBytes {
  readonly opaque: number;
  readonly alpha: number;
}

/**
 * The memory that decoding takes at its peak, with the file, over all processes of Chromium. Measured with noisy photos: see
 * docs/decisions/picture-memory.md.
 */
const DECODING_BYTES: Partial<Record<FormatId, PixelBytes>> = {
  jpg: { opaque: 6, alpha: 6 },
  png: { opaque: 11, alpha: 16 },
  webp: { opaque: 8, alpha: 18 },
  gif: { opaque: 10, alpha: 10 },
  bmp: { opaque: 26, alpha: 26 },
  heic: { opaque: 6, alpha: 20 },
  avif: { opaque: 10, alpha: 20 },
  tiff: { opaque: 26, alpha: 29 },
  jxl: { opaque: 52, alpha: 90 },
};

/** The same for encoding, with the decoded picture. PDF: above 64 megapixels. */
const ENCODING_BYTES: Partial<Record<FormatId, PixelBytes>> = {
  jpg: { opaque: 7, alpha: 13 },
  png: { opaque: 12, alpha: 32 },
  webp: { opaque: 14, alpha: 52 },
  avif: { opaque: 29, alpha: 37 },
  pdf: { opaque: 6, alpha: 12 },
};

/** What limits the size of a picture on a device. */
export interface Device {
  readonly userAgent: string;
  /** In gibibytes, at most 8. Only Chromium states it. */
  readonly memory: number | undefined;
  /** The number of touch points of the screen, when known. It distinguishes an iPad from a Mac. */
  readonly touchPoints?: number | undefined;
}

/** Returns this device. Without information, as in Node before 21, it counts as a computer. */
export function thisDevice(): Device {
  const { navigator } = globalThis;
  const memory = navigator && "deviceMemory" in navigator ? Number(navigator.deviceMemory) : undefined;
  return { userAgent: navigator?.userAgent ?? "", memory, touchPoints: touchPoints() };
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
 * Refuses a picture that is too large to be decoded, before memory is allocated. Its sides may be longer than those of a
 * canvas.
 *
 * @throws {ServiceError} `input_too_large`, with the numbers
 */
export function checkDecoding(picture: PictureSize, from: FormatId, device: Device): void {
  const area = areaFor(bytesPerPixel(DECODING_BYTES, from, picture), device);
  if (picture.width * picture.height > area)
    throw tooLarge(picture, areaText(area, picture), { largest_area: area });
}

/**
 * Refuses a picture that is too large to be written, before memory is allocated.
 *
 * @param longestSide the limit of the format. The longest that can be drawn by default.
 * @throws {ServiceError} `input_too_large`, with the numbers
 */
export function checkEncoding(
  picture: PictureSize,
  to: FormatId,
  device: Device,
  longestSide = LONGEST_SIDE,
): void {
  const { width, height } = picture;
  const area = areaFor(bytesPerPixel(ENCODING_BYTES, to, picture), device);
  const details = { longest_side: longestSide, largest_area: area };
  if (width > longestSide || height > longestSide)
    throw tooLarge(picture, `this device allows ${longestSide} on a side`, details);
  if (width * height > area) throw tooLarge(picture, areaText(area, picture), details);
}

/** Returns how many pixels a picture may have that takes so many bytes for each. */
function areaFor(bytes: number, device: Device): number {
  return Math.floor(Math.min(largestArea(device), MOST_MEMORY / bytes));
}

function areaText(area: number, { width, height }: Size): string {
  return `this device allows ${millions(area)} million in all, not ${millions(width * height)}`;
}

/** A picture, and whether any pixel may be transparent. */
interface PictureSize extends Size {
  readonly hasAlpha: boolean;
}

function bytesPerPixel(
  bytes: Partial<Record<FormatId, PixelBytes>>,
  format: FormatId,
  { hasAlpha }: PictureSize,
): number {
  return bytes[format]?.[hasAlpha ? "alpha" : "opaque"] ?? 0;
}

function tooLarge(
  { width, height }: Size,
  limit: string,
  details: ErrorDetails<"input_too_large">,
): ServiceError {
  return new ServiceError(
    "input_too_large",
    `The picture is too large: ${width} × ${height} pixels, and ${limit}. Make it smaller first.`,
    { width, height, ...details },
  );
}

function millions(pixels: number): string {
  return (pixels / 1e6).toFixed(1);
}
