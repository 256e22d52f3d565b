import { uint16, uint32 } from "../../../io/big-endian.ts";
import { concatBytes } from "../../../io/concat-bytes.ts";
import type { ByteSource } from "../../../io/source.ts";
import { type Orientation, plausible, type Resolution, readExif } from "../../metadata/exif.ts";
import { APP1_SIGNATURE } from "../../metadata/metadata.ts";
import { extensionName } from "../../metadata/xmp.ts";
import { bodyOf, type JpegSegment, MARKER } from "./segments.ts";

/**
 * The contents of the application segments of a JPEG (ITU-T T.81, B.2.4.6). They are conventions outside the standard.
 */
export interface JpegApplicationData {
  readonly hasJfif: boolean;
  /** The color transform of Adobe's segment: 0 none, 1 YCbCr, 2 YCCK. Absent without that segment. */
  readonly adobeTransform: number | undefined;
  /** From JFIF, or else from EXIF. */
  readonly resolution: Resolution | undefined;
  readonly orientation: Orientation;
  /** The ICC profile, joined from its segments. */
  readonly icc: Uint8Array | undefined;
  /** The EXIF block, from its TIFF header on. */
  readonly exif: Uint8Array | undefined;
  /** The main XMP packet. */
  readonly xmp: Uint8Array | undefined;
  /** Extended XMP: the part that did not fit into one segment, if the main packet refers to it. */
  readonly extendedXmp: Uint8Array | undefined;
}

/** The first bytes of metadata segments. */
export const SIGNATURE = {
  ...APP1_SIGNATURE,
  extendedXmp: "http://ns.adobe.com/xmp/extension/\0",
  icc: "ICC_PROFILE\0",
} as const;
const JFIF = "JFIF\0";
const ADOBE = "Adobe";
const CENTIMETERS_PER_INCH = 2.54;

/** Reads application segments. The first segment of a kind counts, unless several are parts of one. */
export function readApplicationData(
  source: ByteSource,
  segments: readonly JpegSegment[],
): JpegApplicationData {
  const iccParts: Uint8Array[] = [];
  const xmpParts: Uint8Array[] = [];
  let hasJfif = false;
  let jfifResolution: Resolution | undefined;
  let adobeTransform: number | undefined;
  let exif: Uint8Array | undefined;
  let xmp: Uint8Array | undefined;
  for (const segment of segments) {
    if (segment.marker < MARKER.APP0 || segment.marker > MARKER.APP14) continue;
    const body = bodyOf(source, segment);
    if (isJfif(source, segment) && !hasJfif) {
      hasJfif = true;
      jfifResolution = densityOf(body);
    } else if (isAdobe(source, segment) && body.length >= 12) {
      adobeTransform ??= body[11];
    } else if (isIcc(source, segment)) {
      iccParts.push(body.subarray(SIGNATURE.icc.length));
    } else if (segment.marker === MARKER.APP1) {
      if (startsWith(body, SIGNATURE.exif)) exif ??= body.slice(SIGNATURE.exif.length);
      else if (startsWith(body, SIGNATURE.xmp)) xmp ??= body.slice(SIGNATURE.xmp.length);
      else if (startsWith(body, SIGNATURE.extendedXmp))
        xmpParts.push(body.subarray(SIGNATURE.extendedXmp.length));
    }
  }
  const read = exif && readExif(exif);
  return {
    hasJfif,
    adobeTransform,
    resolution: jfifResolution ?? read?.resolution,
    orientation: read?.orientation ?? 1,
    icc: joinedProfile(iccParts),
    exif,
    xmp,
    extendedXmp: joinedXmp(xmpParts, xmp),
  };
}

/** Returns the density of JFIF, if it has a unit. Without a unit it states the aspect ratio of a pixel only. */
function densityOf(body: Uint8Array): Resolution | undefined {
  const unit = body[7];
  if (unit !== 1 && unit !== 2) return undefined;
  const perInch = unit === 2 ? CENTIMETERS_PER_INCH : 1;
  const resolution = { x: uint16(body, 8) * perInch, y: uint16(body, 10) * perInch };
  return plausible(resolution) ? resolution : undefined;
}

/** Joins the parts of a profile, in any order. Each begins with its number and the count (ICC.1, B.4). */
function joinedProfile(parts: readonly Uint8Array[]): Uint8Array | undefined {
  const count = parts[0]?.[1] ?? 0;
  const ordered: Uint8Array[] = [];
  for (let number = 1; number <= count; number++) {
    const part = parts.find((one) => one[0] === number && one[1] === count);
    if (part === undefined) return undefined;
    ordered.push(part.subarray(2));
  }
  return ordered.length > 0 ? concatBytes(ordered) : undefined;
}

/**
 * Joins the parts of extended XMP. Each begins with a name of 32 characters, the total length, and its offset. Parts
 * with another name than in the main packet are ignored (XMP 3, 1.1.3.1): some programs leave them behind.
 */
function joinedXmp(parts: readonly Uint8Array[], xmp: Uint8Array | undefined): Uint8Array | undefined {
  const name = parts.length > 0 && xmp ? extensionName(xmp)?.toUpperCase() : undefined;
  if (name === undefined) return undefined;
  const ofOne = parts.filter((part) => part.length >= 40 && text(part, 32).toUpperCase() === name);
  const [first] = ofOne;
  const total = first === undefined ? 0 : uint32(first, 32);
  const there = ofOne.reduce((sum, part) => sum + part.length - 40, 0);
  if (total === 0 || there !== total) return undefined;
  const ordered = ofOne.toSorted((one, other) => uint32(one, 36) - uint32(other, 36));
  return concatBytes(ordered.map((part) => part.subarray(40)));
}

/** Whether a segment holds an ICC profile, or a part of one. */
export function isIcc(source: ByteSource, segment: JpegSegment): boolean {
  return isSigned(source, segment, MARKER.APP2, SIGNATURE.icc);
}

/** Whether a segment is a JFIF segment or one of its extensions. */
export function isJfif(source: ByteSource, segment: JpegSegment): boolean {
  return isSigned(source, segment, MARKER.APP0, JFIF);
}

/** Whether a segment is Adobe's, which states the color transform. Decoders need it. */
export function isAdobe(source: ByteSource, segment: JpegSegment): boolean {
  return isSigned(source, segment, MARKER.APP14, ADOBE);
}

function isSigned(source: ByteSource, segment: JpegSegment, marker: number, signature: string): boolean {
  const { start } = segment;
  return (
    segment.marker === marker && startsWith(source.read(start + 4, start + 4 + signature.length), signature)
  );
}

function startsWith(bytes: Uint8Array, signature: string): boolean {
  return text(bytes, signature.length) === signature;
}

function text(bytes: Uint8Array, length: number): string {
  return String.fromCharCode(...bytes.subarray(0, length));
}
