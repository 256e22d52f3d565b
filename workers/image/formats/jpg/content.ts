import { type BytePart, BytePartList } from "../../../io/byte-ranges.ts";
import type { ByteSource } from "../../../io/source.ts";
import { type ProfileColor, profileColor } from "../../color/color.ts";
import { profileComponents } from "../../color/icc.ts";
import { isAdobe, isJfif } from "./application-data.ts";
import type { Jpeg } from "./read-jpeg.ts";
import { type JpegScans, readScans } from "./scans.ts";
import { damagedJpeg, type JpegSegment, MARKER } from "./segments.ts";

/** The JFIF segment up to its thumbnail: marker, length, signature, version, density, no thumbnail. */
const JFIF_BYTES = 18;
/** Baseline, extended and progressive, with Huffman coding. */
const COMMON_PROCESSES: readonly number[] = [0xc0, 0xc1, 0xc2];
const RGB = [..."RGB"].map((letter) => letter.charCodeAt(0));

/**
 * Returns a JPEG with its coded data unchanged, from its first marker to its last. Data after the last marker
 * is dropped.
 *
 * Without metadata, the JPEG keeps Adobe's segment and JFIF's segment without its thumbnail. EXIF, XMP, IPTC,
 * comments, makers' own segments, previews and the ICC profile are dropped.
 *
 * @param scans the result of {@link readScans}, if the caller has it already
 * @throws {ServiceError} `damaged_file` when the file breaks off, or holds data that does not belong there
 */
export function jpegContent(
  source: ByteSource,
  jpeg: Jpeg,
  keepMetadata: boolean,
  scans: JpegScans = readScans(source, jpeg),
): readonly BytePart[] {
  const isKept = (segment: JpegSegment) => keepMetadata || isNeeded(source, segment);
  const pieces = new BytePartList();
  pieces.range(0, 2);
  for (const segment of jpeg.segments) {
    if (isKept(segment)) pieces.range(segment.start, segment.end);
    else if (isJfif(source, segment)) pieces.bytes(withoutThumbnail(source, segment));
  }
  const { segments, ending } = scans;
  if (ending !== "whole") throw damagedJpeg("it is cut off or damaged");
  for (const segment of segments) if (isKept(segment)) pieces.range(segment.start, segment.end);
  return pieces.all;
}

/** Whether a segment stays in a JPEG without metadata. */
function isNeeded(source: ByteSource, segment: JpegSegment): boolean {
  const { marker, start, end } = segment;
  if (marker === MARKER.COM) return false;
  if (marker < MARKER.APP0 || marker > MARKER.APP15) return true;
  if (marker === MARKER.APP0) return end - start === JFIF_BYTES && isJfif(source, segment);
  return isAdobe(source, segment);
}

function withoutThumbnail(source: ByteSource, { start }: JpegSegment): Uint8Array {
  const segment = new Uint8Array(JFIF_BYTES);
  segment.set(source.read(start, start + JFIF_BYTES - 2));
  segment.set([0, JFIF_BYTES - 2], 2);
  return segment;
}

/** Whether a JPEG is coded as every viewer and every PDF reader decodes it (ISO 32000-2, 7.4.8). */
export function isCommonlyCoded({ frame }: Jpeg): boolean {
  return COMMON_PROCESSES.includes(frame.process) && frame.precision === 8;
}

/**
 * Whether only the names of the components say that they are RGB. Without any statement, three components are YCbCr,
 * unless they are named R, G and B.
 */
export function isPlainRgb({ frame, hasJfif, adobeTransform }: Jpeg): boolean {
  return (
    !hasJfif &&
    adobeTransform === undefined &&
    frame.components.length === 3 &&
    frame.components.every((name, index) => name === RGB[index])
  );
}

/** Whether every viewer shows the coded data unchanged: upright, gray or YCbCr with 8 bits. */
export function isShownAsStored(jpeg: Jpeg): boolean {
  const { components } = jpeg.frame;
  const isUsual = isCommonlyCoded(jpeg) && jpeg.orientation === 1;
  const isRgb = jpeg.adobeTransform === 0 || isPlainRgb(jpeg);
  return isUsual && (components.length === 1 || (components.length === 3 && !isRgb));
}

/** Returns the color space of the profile, if the profile fits the components. */
export function colorOf({ frame, icc }: Jpeg): ProfileColor | undefined {
  const fits = icc !== undefined && profileComponents(icc) === frame.components.length;
  return fits ? profileColor(icc) : undefined;
}
