import { ServiceError } from "../../../src/errors.ts";
import type { ByteSource } from "../../pdf/bytes/source.ts";
import { uint16, uint32 } from "./big-endian.ts";
import { type Orientation, plausible, type Resolution, readExif } from "./exif.ts";
import { joined } from "./joined.ts";

/** A marker segment, or a marker that stands alone. */
export interface JpegSegment {
  /** The byte after `0xff`. */
  readonly marker: number;
  /** Where the marker begins. */
  readonly start: number;
  /** Where what it heads ends. */
  readonly end: number;
}

/** How the pixels are coded (ITU-T T.81, B.2.2). */
export interface JpegFrame {
  /** The marker: 0xc0 baseline, 0xc1 extended, 0xc2 progressive, others rarely met. */
  readonly process: number;
  /** Bits per sample. */
  readonly precision: number;
  /** What the components are called, one byte each. */
  readonly components: readonly number[];
  /** How often each is there in a unit of all: across in the higher half of a byte, down in the lower. */
  readonly samplings: readonly number[];
}

/** What a JPEG file says before its first scan. */
export interface Jpeg {
  /** In pixels, as stored: before any rotation. */
  readonly width: number;
  readonly height: number;
  readonly frame: JpegFrame;
  /** Whether a segment after the first scan gives the height, which few readers look for. */
  readonly heightComesLate: boolean;
  /** All segments before the first scan. */
  readonly segments: readonly JpegSegment[];
  /** Where the first scan's segment begins. */
  readonly scans: number;
  readonly hasJfif: boolean;
  /** How Adobe's segment says the colours are coded: 0 as they are, 1 YCbCr, 2 YCCK; undefined without one. */
  readonly adobeTransform: number | undefined;
  /** From JFIF, else from EXIF. */
  readonly resolution: Resolution | undefined;
  readonly orientation: Orientation;
  /** The ICC profile, put together. */
  readonly icc: Uint8Array | undefined;
  /** The EXIF block, from its TIFF header on. */
  readonly exif: Uint8Array | undefined;
  /** The main XMP packet. */
  readonly xmp: Uint8Array | undefined;
  /** The rest of the XMP, where it did not fit into one segment. */
  readonly extendedXmp: Uint8Array | undefined;
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
  COM: 0xfe,
} as const;

/** What segments of metadata begin with. */
export const SIGNATURE = {
  exif: "Exif\0\0",
  xmp: "http://ns.adobe.com/xap/1.0/\0",
  extendedXmp: "http://ns.adobe.com/xmp/extension/\0",
  icc: "ICC_PROFILE\0",
} as const;
const JFIF = "JFIF\0";
const ADOBE = "Adobe";

/** No camera writes nearly as many. */
export const MOST_SEGMENTS = 20_000;
const FIRST_WINDOW = 4096;
const LONGEST_WINDOW = 4 * 1024 * 1024;
const CENTIMETRES_PER_INCH = 2.54;

/** Whether a file begins as a JPEG. */
function startsAsJpeg(source: ByteSource): boolean {
  return uint16(source.read(0, 2), 0) === 0xff00 + MARKER.SOI;
}

/**
 * Reads what stands before the first scan.
 *
 * @throws ServiceError `damaged_file`
 */
export function readJpeg(source: ByteSource): Jpeg {
  if (!startsAsJpeg(source)) throw damagedJpeg("it does not begin as one");
  const segments: JpegSegment[] = [];
  let frame: JpegFrame | undefined;
  let width = 0;
  let height = 0;
  let at = 2;
  for (;;) {
    const segment = nextSegment(source, at);
    if (segment === undefined || segment.marker === MARKER.EOI) throw damagedJpeg("it holds no picture");
    if (segment.marker === MARKER.SOS) break;
    at = segment.end;
    segments.push(segment);
    if (segments.length > MOST_SEGMENTS) throw damagedJpeg("it has too many segments");
    if (isFrame(segment.marker) && frame === undefined) {
      const header = bodyOf(source, segment);
      frame = frameOf(segment.marker, header);
      height = uint16(header, 1);
      width = uint16(header, 3);
    }
  }
  if (frame === undefined) throw damagedJpeg("nothing says how large it is");
  const scans = nextSegment(source, at)?.start ?? at;
  const heightComesLate = height === 0;
  if (heightComesLate) height = lateHeight(source, scans);
  if (width === 0 || height === 0) throw damagedJpeg("it has no pixels");
  const metadata = metadataOf(source, segments);
  return { width, height, frame, heightComesLate, segments, scans, ...metadata };
}

/** What follows a segment's length. */
export function bodyOf(source: ByteSource, { start, end }: JpegSegment): Uint8Array {
  return source.read(start + 4, end);
}

/** Whether a segment holds an ICC profile, or a part of one. */
export function isIcc(source: ByteSource, { marker, start }: JpegSegment): boolean {
  return (
    marker === MARKER.APP2 &&
    startsWith(source.read(start + 4, start + 4 + SIGNATURE.icc.length), SIGNATURE.icc)
  );
}

/** Whether a segment is JFIF's, whether it may be one of its extensions or not. */
export function isJfif(source: ByteSource, { marker, start }: JpegSegment): boolean {
  return marker === MARKER.APP0 && startsWith(source.read(start + 4, start + 4 + JFIF.length), JFIF);
}

/** Whether a segment says how Adobe's encoders coded the colours: without it, they would be read wrongly. */
export function isAdobe(source: ByteSource, { marker, start }: JpegSegment): boolean {
  return marker === MARKER.APP14 && startsWith(source.read(start + 4, start + 4 + ADOBE.length), ADOBE);
}

type Metadata = Pick<
  Jpeg,
  "hasJfif" | "adobeTransform" | "resolution" | "orientation" | "icc" | "exif" | "xmp" | "extendedXmp"
>;

function metadataOf(source: ByteSource, segments: readonly JpegSegment[]): Metadata {
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
    extendedXmp: joinedXmp(xmpParts),
  };
}

/** JFIF's density, when it has a unit: without one it tells the shape of a pixel only. */
function densityOf(body: Uint8Array): Resolution | undefined {
  const unit = body[7];
  if (unit !== 1 && unit !== 2) return undefined;
  const perInch = unit === 2 ? CENTIMETRES_PER_INCH : 1;
  const resolution = { x: uint16(body, 8) * perInch, y: uint16(body, 10) * perInch };
  return plausible(resolution) ? resolution : undefined;
}

/** Parts of a profile, each beginning with its number and the count of all, in whatever order (ICC.1, B.4). */
function joinedProfile(parts: readonly Uint8Array[]): Uint8Array | undefined {
  const count = parts[0]?.[1] ?? 0;
  const inOrder: Uint8Array[] = [];
  for (let number = 1; number <= count; number++) {
    const part = parts.find((one) => one[0] === number && one[1] === count);
    if (part === undefined) return undefined;
    inOrder.push(part.subarray(2));
  }
  return inOrder.length > 0 ? joined(inOrder) : undefined;
}

/** Parts of extended XMP: a name of 32 characters, the whole length, and where the part belongs (XMP 3, 1.1.3.1). */
function joinedXmp(parts: readonly Uint8Array[]): Uint8Array | undefined {
  const [first] = parts;
  if (first === undefined) return undefined;
  const name = text(first, 32);
  const ofOne = parts.filter((part) => part.length >= 40 && text(part, 32) === name);
  const total = uint32(first, 32);
  const there = ofOne.reduce((sum, part) => sum + part.length - 40, 0);
  if (total === 0 || there !== total) return undefined;
  const inOrder = ofOne.toSorted((one, other) => uint32(one, 36) - uint32(other, 36));
  return joined(inOrder.map((part) => part.subarray(40)));
}

/** Whether a marker heads a frame. C4, C8 and CC among them are tables and a reserved code. */
export function isFrame(marker: number): boolean {
  return (
    marker >= 0xc0 &&
    marker <= 0xcf &&
    marker !== MARKER.DHT &&
    marker !== MARKER.JPG &&
    marker !== MARKER.DAC
  );
}

/** Whether a marker heads what decoders need to know before a scan: tables, and where it restarts. */
export function isTable(marker: number, { process }: JpegFrame): boolean {
  const { DHT, DAC, DQT, DRI, JPG } = MARKER;
  const isArithmetic = process > JPG;
  return marker === DHT || marker === DQT || marker === DRI || (marker === DAC && isArithmetic);
}

function frameOf(process: number, header: Uint8Array): JpegFrame {
  const count = header[5] ?? 0;
  if (count === 0 || header.length < 6 + 3 * count)
    throw damagedJpeg("what says how large it is makes no sense");
  const bytesAt = (offset: number) =>
    Array.from({ length: count }, (_, index) => header[offset + 3 * index] ?? 0);
  return { process, precision: header[0] ?? 0, components: bytesAt(6), samplings: bytesAt(7) };
}

/** The height that stands behind the first scan (ITU-T T.81, B.2.5). */
function lateHeight(source: ByteSource, scans: number): number {
  const scan = nextSegment(source, scans);
  const late = scan && nextSegment(source, findMarker(source, scan.end, headsSegment) ?? source.size);
  return late?.marker === MARKER.DNL ? uint16(bodyOf(source, late), 0) : 0;
}

/** The next segment from `at` on, over anything that is none; undefined when there is none. */
function nextSegment(source: ByteSource, at: number): JpegSegment | undefined {
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

/** Where the next marker begins, as far as its code tells: over coded data and fill bytes. */
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

/** Not a stuffed zero, a fill byte, a restart or another marker that stands alone. */
function headsSegment(code: number): boolean {
  return code >= 0xc0 && code !== 0xff && !(code >= 0xd0 && code <= MARKER.SOI);
}

function startsWith(bytes: Uint8Array, signature: string): boolean {
  return text(bytes, signature.length) === signature;
}

function text(bytes: Uint8Array, length: number): string {
  return String.fromCharCode(...bytes.subarray(0, length));
}

/** What a JPEG fails with that cannot be read. */
export function damagedJpeg(reason: string): ServiceError {
  return new ServiceError(
    "damaged_file",
    `The JPEG image cannot be read: ${reason}. Try another copy of it.`,
  );
}
