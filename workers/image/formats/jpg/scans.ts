import { ServiceError } from "../../../../src/shared/errors.ts";
import { uint16 } from "../../../io/big-endian.ts";
import type { ByteSource } from "../../../io/source.ts";
import type { Size } from "../../picture/size.ts";
import { isTable, type Jpeg } from "./read-jpeg.ts";
import { bodyOf, findMarker, type JpegSegment, MARKER, MOST_SEGMENTS } from "./segments.ts";

/** The scans of a JPEG. */
export interface JpegScans {
  /** The segments from the first scan on. A scan includes its coded data. The end marker is the last. */
  readonly segments: readonly JpegSegment[];
  /**
   * How the file ends: with its end marker, at a marker that does not belong there, with coded data (complete or not),
   * or within a segment.
   */
  readonly ending: "whole" | "foreign marker" | "no end marker" | "cut off";
}

/** The number of scans that a picture of any size may have. Usual encoders write ten. */
const ALWAYS_ALLOWED = 32;
/** The most pixels in all scans of a picture with more scans. A decoder takes 1 to 6 s for them. */
const MOST_PIXELS_OF_SCANS = 500_000_000;
/** The restart markers. */
const RESTARTS = { first: 0xd0, last: 0xd7 };

/**
 * Reads everything from the first scan on, damaged or not. Data after the end marker does not belong to the picture.
 */
export function readScans(source: ByteSource, jpeg: Jpeg): JpegScans {
  const endsScan = hasRestarts(source, jpeg) ? isHighMarker : isMarker;
  const segments: JpegSegment[] = [];
  for (let at = jpeg.scans; segments.length < MOST_SEGMENTS; ) {
    const start = findMarker(source, at, isMarker);
    if (start === undefined) {
      const [last] = segments.slice(-1);
      return { segments, ending: last?.marker === MARKER.SOS ? "no end marker" : "cut off" };
    }
    const head = source.read(start, start + 4);
    const marker = head[1] ?? 0;
    if (marker === MARKER.EOI) {
      segments.push({ marker, start, end: start + 2 });
      const lastScan = segments.findLastIndex((segment) => segment.marker === MARKER.SOS);
      // Tables precede a scan. Tables that no scan follows are damaged data.
      const isWhole = !segments.slice(lastScan).some((segment) => isTable(segment.marker, jpeg.frame));
      return { segments, ending: isWhole ? "whole" : "foreign marker" };
    }
    const length = uint16(head, 2);
    const bodyEnd = start + 2 + length;
    if (!belongsToScans(marker, jpeg) || length < 2) return { segments, ending: "foreign marker" };
    if (bodyEnd > source.size) return { segments, ending: "cut off" };
    const end = marker === MARKER.SOS ? (findMarker(source, bodyEnd, endsScan) ?? source.size) : bodyEnd;
    segments.push({ marker, start, end });
    at = end;
  }
  return { segments, ending: "foreign marker" };
}

/** Whether restart markers can occur in a scan. Decoders then skip invalid markers. */
function hasRestarts(source: ByteSource, { segments }: Jpeg): boolean {
  const last = segments.findLast(({ marker }) => marker === MARKER.DRI);
  return last !== undefined && uint16(bodyOf(source, last), 0) > 0;
}

/** Whether a code is a marker, and not a stuffed zero, a fill byte or a restart marker. */
function isMarker(code: number): boolean {
  return code !== 0 && code !== 0xff && !(code >= RESTARTS.first && code <= RESTARTS.last);
}

function isHighMarker(code: number): boolean {
  return code >= 0xc0 && isMarker(code);
}

function belongsToScans(marker: number, { frame }: Jpeg): boolean {
  const { SOS, DNL, APP0, APP15, COM } = MARKER;
  const isMetadata = (marker >= APP0 && marker <= APP15) || marker === COM;
  return marker === SOS || marker === DNL || isMetadata || isTable(marker, frame);
}

/**
 * Refuses a JPEG before it is decoded when decoding its scans would take minutes. A decoder visits each block in each
 * scan, even when a few bytes of the scan say that thousands of blocks do not change.
 *
 * @throws {ServiceError} `input_too_large`, with both numbers of scans
 */
export function checkScans({ width, height }: Size, { segments }: JpegScans): void {
  const scans = segments.filter(({ marker }) => marker === MARKER.SOS).length;
  const most = Math.max(ALWAYS_ALLOWED, Math.floor(MOST_PIXELS_OF_SCANS / (width * height)));
  if (scans <= most) return;
  throw new ServiceError(
    "input_too_large",
    `The JPEG image takes too long to decode: it has ${scans} scans, and at its size it may have ${most}. Save it again ` +
      'in an image editor, without "progressive".',
    { scans, largest_scans: most },
  );
}
