import { ServiceError } from "../../../src/shared/errors.ts";
import { uint16 } from "../../io/big-endian.ts";
import { concatBytes } from "../../io/concat-bytes.ts";
import type { PdfDocument } from "../file/document.ts";
import { filterEntries, UndecodableStream, withFilters } from "../file/filters.ts";
import { latin1, latin1Bytes } from "../syntax/characters.ts";
import { nameOf, PdfName, PdfStream } from "../syntax/objects.ts";

const DCT = new Set(["DCTDecode", "DCT"]);
const TEMPORARY = 0x01;
const START_OF_IMAGE = 0xd8;
const START_OF_SCAN = 0xda;
const END_OF_IMAGE = 0xd9;
const ADOBE = 0xee;
const COMMENT = 0xfe;
/** The longest JFIF header without a thumbnail. */
const JFIF_LENGTH = 16;
/** The data of Adobe's segment. */
const ADOBE_LENGTH = 12;
const RAW_CODESTREAM = 0xff4f;
/** Boxes of JPEG 2000 that say how the image is drawn (ISO/IEC 15444-1, Annex I; 15444-2, Annex M). All others go. */
const IMAGE_BOXES = new Set(
  "jP  ,ftyp,rreq,jp2h,jpch,jplh,cgrp,jp2c,ihdr,bpcc,colr,pclr,cmap,cdef,res ,resc,resd,opct,creg".split(","),
);
/** Boxes that hold boxes. They nest at most three times. */
const SUPERBOXES = new Set("jp2h,jpch,jplh,cgrp,res ".split(","));
const DEEPEST_BOX = 4;
const FREE = latin1Bytes("free");

/** Returns whether the image in a stream has metadata, or may have: see {@link withoutImageMetadata}. */
export function hasImageMetadata(document: PdfDocument, stream: PdfStream): boolean {
  return cleaned(document, stream) !== stream;
}

/**
 * Returns a stream whose JPEG or JPEG 2000 has no EXIF, XMP, comments and other data of programs. Color profiles and the
 * segment that says how colors are transformed stay. Returns the stream itself when there is nothing to remove; undefined when
 * filters hide what it holds.
 *
 * @throws {ServiceError} `unsupported_conversion` for a JPEG in which it is not clear what is metadata
 */
export function withoutImageMetadata(document: PdfDocument, stream: PdfStream): PdfStream | undefined {
  const clean = cleaned(document, stream);
  if (clean === "unclear") throw unclearImage();
  return clean;
}

function cleaned(document: PdfDocument, stream: PdfStream): PdfStream | "unclear" | undefined {
  const { filters, parameters } = filterEntries(stream.dict);
  const names = filters.map((filter) => nameOf(filter) ?? "");
  const coding = names.findIndex((name) => DCT.has(name) || name === "JPXDecode");
  if (coding < 0) return stream;
  // No reader can undo filters behind an image, so the data may be anything.
  if (coding !== names.length - 1) return undefined;
  const coded = coding === 0 ? document.objects.decrypted(stream) : decodedBefore(document, stream, coding);
  if (coded === undefined) return undefined;
  const clean = names[coding] === "JPXDecode" ? withoutJpxMetadata(coded) : withoutJpegMetadata(coded);
  if (clean === undefined) return "unclear";
  if (clean === coded) return stream;
  const changed = withFilters(stream.dict, PdfName.of(names[coding] ?? ""), parameters[coding]);
  return new PdfStream(changed, { kind: "memory", bytes: clean });
}

function unclearImage(): ServiceError {
  return new ServiceError(
    "unsupported_conversion",
    'A JPEG in this PDF is damaged, so it is not clear what in it is metadata. Remove the picture before, or keep it: "keep" with "metadata".',
    { parameter: "keep", kind: "image_metadata" },
  );
}

/** Undoes the first `count` filters of a stream; undefined when that fails. */
function decodedBefore(
  document: PdfDocument,
  { dict, data }: PdfStream,
  count: number,
): Uint8Array | undefined {
  const { filters, parameters } = filterEntries(dict);
  const outer = withFilters(dict, filters.slice(0, count), parameters.slice(0, count));
  try {
    return document.objects.decoded(new PdfStream(outer, data));
  } catch (error) {
    if (error instanceof UndecodableStream) return undefined;
    throw error;
  }
}

/**
 * Returns a JPEG without application data and comments (ITU-T T.81, B.2.4.5 and B.2.4.6), except JFIF without a thumbnail,
 * ICC profiles and Adobe's segment, and without what stands between segments or follows the end: cameras append further pictures.
 * Returns the same bytes when there is nothing to remove; undefined when it is not clear which bytes are segments.
 */
export function withoutJpegMetadata(jpeg: Uint8Array): Uint8Array | undefined {
  const kept: Uint8Array[] = [];
  let isChanged = false;
  let hasScan = false;
  let from = 0;
  const keep = (start: number, end: number) => {
    const isPlain = isPadding(jpeg.subarray(from, start));
    kept.push(jpeg.subarray(isPlain ? from : start, end));
    isChanged ||= !isPlain;
    from = end;
  };
  const start = nextMarker(jpeg, 0, (marker) => marker === START_OF_IMAGE);
  if (start === jpeg.length) return undefined;
  keep(start, start + 2);
  for (let at = nextMarker(jpeg, from); at + 2 <= jpeg.length; at = nextMarker(jpeg, from)) {
    const marker = jpeg[at + 1] ?? 0;
    if (marker === END_OF_IMAGE) {
      keep(at, at + 2);
      break;
    }
    if (marker === START_OF_IMAGE || marker === TEMPORARY || isRestart(marker)) {
      isChanged = true;
      from = at + 2;
      continue;
    }
    if (!headsSegment(marker)) return undefined;
    if (at + 4 > jpeg.length) break;
    const next = Math.min(at + 2 + Math.max(uint16(jpeg, at + 2), 2), jpeg.length);
    if (isMetadataSegment(marker, jpeg.subarray(at + 4, next))) {
      isChanged = true;
      from = next;
    } else if (marker === ADOBE && next > at + 4 + ADOBE_LENGTH) {
      // Decoders read the beginning only.
      isChanged = true;
      kept.push(
        Uint8Array.of(0xff, ADOBE, 0, ADOBE_LENGTH + 2),
        jpeg.subarray(at + 4, at + 4 + ADOBE_LENGTH),
      );
      from = next;
    } else if (marker === START_OF_SCAN) {
      hasScan = true;
      // In damaged data, other markers may be data as well.
      keep(
        at,
        nextMarker(jpeg, next, (one) => headsSegment(one) || one === START_OF_IMAGE),
      );
    } else keep(at, next);
  }
  if (!hasScan) return undefined;
  const rest = jpeg.subarray(from);
  return isChanged || !isPadding(rest) ? concatBytes(kept) : jpeg;
}

/** Returns the offset of the next marker: not of a stuffed zero or a fill byte. The length when there is none. */
function nextMarker(jpeg: Uint8Array, from: number, isWanted = (_marker: number) => true): number {
  for (let at = jpeg.indexOf(0xff, from); at >= 0; at = jpeg.indexOf(0xff, at + 1)) {
    const marker = jpeg[at + 1] ?? 0;
    if (marker !== 0 && marker !== 0xff && isWanted(marker)) return at;
  }
  return jpeg.length;
}

function isRestart(marker: number): boolean {
  return marker >= 0xd0 && marker <= 0xd7;
}

/** Returns whether a segment with a length follows a marker, or the image ends (Table B.1). */
function headsSegment(marker: number): boolean {
  if (marker === COMMENT) return true;
  return marker >= 0xc0 && marker <= 0xef && !isRestart(marker) && marker !== START_OF_IMAGE;
}

/** Returns whether bytes are ends of lines and zeros, as writers of PDF add them, or fill bytes before a marker. */
function isPadding(bytes: Uint8Array): boolean {
  return bytes.every(
    (byte) => byte === 0 || byte === 0x0a || byte === 0x0d || byte === 0x20 || byte === 0xff,
  );
}

function isMetadataSegment(marker: number, data: Uint8Array): boolean {
  if (marker === COMMENT) return true;
  if (marker < 0xe0 || marker > 0xef) return false;
  const label = latin1(data.subarray(0, 12));
  if (marker === 0xe0) return !label.startsWith("JFIF\0") || data.length + 2 > JFIF_LENGTH;
  if (marker === 0xe2) return !label.startsWith("ICC_PROFILE\0");
  return marker !== ADOBE || !label.startsWith("Adobe");
}

/**
 * Returns a JPEG 2000 in which all boxes but those of the image are free space (ISO/IEC 15444-1, I.4; 15444-2, M.11.24): other
 * boxes may name places in the file, so that nothing may move. Comments in the code stay. Returns the same bytes when there is
 * nothing to remove.
 */
export function withoutJpxMetadata(jpx: Uint8Array): Uint8Array {
  if (jpx.length < 12 || uint16(jpx, 0) === RAW_CODESTREAM) return jpx;
  const clean = jpx.slice();
  return freeOtherBoxes(clean, 0, clean.length, 1) ? clean : jpx;
}

/** Returns whether a range had a box to be emptied. */
function freeOtherBoxes(jpx: Uint8Array, from: number, to: number, depth: number): boolean {
  const view = new DataView(jpx.buffer, jpx.byteOffset, jpx.byteLength);
  let isChanged = false;
  for (let at = from; at + 8 <= to; ) {
    const stated = view.getUint32(at);
    const isLong = stated === 1 && at + 16 <= to;
    const length = isLong ? Number(view.getBigUint64(at + 8)) : stated === 0 ? to - at : stated;
    const data = Math.min(at + (isLong ? 16 : 8), to);
    const end = Math.min(Math.max(at + length, data), to);
    const type = latin1(jpx.subarray(at + 4, at + 8));
    if (SUPERBOXES.has(type) && depth < DEEPEST_BOX) {
      isChanged = freeOtherBoxes(jpx, data, end, depth + 1) || isChanged;
    } else if (SUPERBOXES.has(type) || !IMAGE_BOXES.has(type)) {
      isChanged ||= type !== "free" || jpx.subarray(data, end).some((byte) => byte !== 0);
      jpx.set(FREE, at + 4);
      jpx.fill(0, data, end);
    }
    at = end;
  }
  return isChanged;
}
