import { uint16 } from "../../../io/big-endian.ts";
import type { ByteSource } from "../../../io/source.ts";
import { damagedImage } from "../image-errors.ts";

/** A marker segment, or a marker without a segment (ITU-T T.81, B.1.1). */
export interface JpegSegment {
  /** The byte after `0xff`. */
  readonly marker: number;
  /** The offset of the marker. */
  readonly start: number;
  /** The end of the segment. */
  readonly end: number;
}

/** Markers by their names in ITU-T T.81, Table B.1. */
export const MARKER = {
  DHT: 0xc4,
  JPG: 0xc8,
  DAC: 0xcc,
  SOI: 0xd8,
  EOI: 0xd9,
  SOS: 0xda,
  DQT: 0xdb,
  DNL: 0xdc,
  DRI: 0xdd,
  APP0: 0xe0,
  APP1: 0xe1,
  APP2: 0xe2,
  APP14: 0xee,
  APP15: 0xef,
  /** The frame header of JPEG-LS (ITU-T T.87, C.1). Its size is where that of other frames is. */
  JPEG_LS: 0xf7,
  COM: 0xfe,
} as const;

/** No camera writes nearly as many segments. */
export const MOST_SEGMENTS = 20_000;
const FIRST_WINDOW = 4096;
const LONGEST_WINDOW = 4 * 1024 * 1024;

/**
 * Returns the next segment from `at` on. Skips other data. Returns `undefined` when there is none.
 *
 * @throws {ServiceError} `damaged_file` for a segment that is cut off
 */
export function nextSegment(source: ByteSource, at: number): JpegSegment | undefined {
  const start = findMarker(source, at, headsSegment);
  if (start === undefined) return undefined;
  const head = source.read(start, start + 4);
  const marker = head[1] ?? 0;
  if (marker === MARKER.EOI) return { marker, start, end: start + 2 };
  const length = uint16(head, 2);
  const end = start + 2 + length;
  if (length < 2 || end > source.size) throw damagedJpeg("it breaks off");
  return { marker, start, end };
}

/** Returns the offset of the next marker. Skips coded data and fill bytes. */
export function findMarker(
  source: ByteSource,
  from: number,
  isMarker: (code: number) => boolean,
): number | undefined {
  let window = FIRST_WINDOW;
  for (let start = from; start + 1 < source.size; ) {
    const bytes = source.read(start, start + window);
    window = Math.min(4 * window, LONGEST_WINDOW);
    let at = bytes.indexOf(0xff);
    while (at >= 0 && at + 1 < bytes.length) {
      const code = bytes[at + 1] ?? 0;
      if (isMarker(code)) return start + at;
      at = bytes.indexOf(0xff, code === 0xff ? at + 1 : at + 2);
    }
    start += at < 0 ? bytes.length : at;
  }
  return undefined;
}

/**
 * Whether a code begins a segment or ends the file. Stuffed zeros, fill bytes, restart markers and other markers
 * without a segment do not.
 */
function headsSegment(code: number): boolean {
  return code >= 0xc0 && code !== 0xff && !(code >= 0xd0 && code <= MARKER.SOI);
}

/** Returns the contents of a segment after its length. */
export function bodyOf(source: ByteSource, { start, end }: JpegSegment): Uint8Array {
  return source.read(start + 4, end);
}

/** Whether a marker begins a frame header. C4, C8 and CC are not: they are tables and a reserved code. */
export function isFrame(marker: number): boolean {
  const { DHT, JPG, DAC, JPEG_LS } = MARKER;
  const isOfT81 = marker >= 0xc0 && marker <= 0xcf && marker !== DHT && marker !== JPG && marker !== DAC;
  return isOfT81 || marker === JPEG_LS;
}

/** Returns the error for a JPEG that cannot be read. */
export const damagedJpeg = (reason: string) => damagedImage("JPEG", reason);
