import { ServiceError } from "../../../../src/shared/errors.ts";
import { concatBytes } from "../../../io/concat-bytes.ts";
import { bufferSource } from "../../../io/source.ts";
import type { Metadata } from "../../metadata/metadata.ts";
import { extensionName } from "../../metadata/xmp.ts";
import { isIcc, isJfif, SIGNATURE } from "./application-data.ts";
import { readJpeg } from "./read-jpeg.ts";
import { MARKER } from "./segments.ts";

/** The length of a segment is in two bytes and includes them. */
const LONGEST_BODY = 0xffff - 2;
const ASCII = new TextEncoder();
/** The header of each part of extended XMP: its name, the total length, and the offset of the part. */
const EXTENSION_HEADER_BYTES = 32 + 4 + 4;

/**
 * Returns the same picture with metadata. Replaces the profile if there is a new one.
 *
 * @throws {ServiceError} `invalid_parameter` when a JPEG cannot hold so much
 */
export function withJpegMetadata(bytes: Uint8Array<ArrayBuffer>, metadata: Metadata): Blob {
  const { exif, xmp, extendedXmp, icc } = metadata;
  const source = bufferSource(bytes);
  const { segments } = readJpeg(source);
  const first = segments[0];
  const start = first !== undefined && isJfif(source, first) ? first.end : 2;
  const replaced = icc ? segments.filter((segment) => isIcc(source, segment)) : [];
  const parts: Uint8Array<ArrayBuffer>[] = [bytes.subarray(0, start)];
  if (exif) parts.push(segmentOf(MARKER.APP1, SIGNATURE.exif, exif));
  if (xmp) parts.push(segmentOf(MARKER.APP1, SIGNATURE.xmp, xmp));
  if (xmp && extendedXmp) parts.push(...extensionSegments(xmp, extendedXmp));
  if (icc) parts.push(...profileSegments(icc));
  let at = start;
  for (const { start: from, end } of replaced) {
    parts.push(bytes.subarray(at, from));
    at = end;
  }
  parts.push(bytes.subarray(at));
  return new Blob(parts, { type: "image/jpeg" });
}

/**
 * Returns an ICC profile as numbered APP2 segments (ICC.1:2022, B.4).
 *
 * @throws {ServiceError} `invalid_parameter` when the profile is too long for a JPEG
 */
function profileSegments(icc: Uint8Array): Uint8Array<ArrayBuffer>[] {
  const partBytes = LONGEST_BODY - SIGNATURE.icc.length - 2;
  const count = Math.ceil(icc.length / partBytes);
  if (count > 255) throw tooLong("color profile");
  return Array.from({ length: count }, (_, index) =>
    segmentOf(
      MARKER.APP2,
      SIGNATURE.icc,
      Uint8Array.of(index + 1, count),
      icc.subarray(index * partBytes, (index + 1) * partBytes),
    ),
  );
}

/** Returns extended XMP as segments, under the name by which the packet refers to it (XMP 3, 1.1.3.1). */
function extensionSegments(xmp: Uint8Array, extendedXmp: Uint8Array): Uint8Array<ArrayBuffer>[] {
  const name = extensionName(xmp);
  if (name === undefined) return [];
  const partBytes = LONGEST_BODY - SIGNATURE.extendedXmp.length - EXTENSION_HEADER_BYTES;
  const count = Math.ceil(extendedXmp.length / partBytes);
  return Array.from({ length: count }, (_, index) => {
    const header = new Uint8Array(EXTENSION_HEADER_BYTES);
    const view = new DataView(header.buffer);
    header.set(ASCII.encode(name));
    view.setUint32(32, extendedXmp.length);
    view.setUint32(36, index * partBytes);
    const part = extendedXmp.subarray(index * partBytes, (index + 1) * partBytes);
    return segmentOf(MARKER.APP1, SIGNATURE.extendedXmp, header, part);
  });
}

function segmentOf(
  marker: number,
  signature: string,
  ...content: readonly Uint8Array[]
): Uint8Array<ArrayBuffer> {
  const body = concatBytes([ASCII.encode(signature), ...content]);
  if (body.length > LONGEST_BODY) throw tooLong(signature === SIGNATURE.exif ? "EXIF block" : "XMP packet");
  const length = 2 + body.length;
  return concatBytes([Uint8Array.of(0xff, marker, length >> 8, length & 0xff), body]);
}

function tooLong(what: string): ServiceError {
  return new ServiceError(
    "invalid_parameter",
    `The image's ${what} is longer than a JPG can hold: convert it to PNG or WebP, or without its metadata.`,
    { parameter: "keep_metadata" },
  );
}
