import { ServiceError } from "../../../src/errors.ts";
import { bufferSource } from "../../pdf/bytes/source.ts";
import type { Metadata } from "../metadata.ts";
import { isIcc, isJfif, MARKER, readJpeg } from "./jpeg.ts";

/** A segment says its length, itself included, in two bytes. */
const LONGEST_BODY = 0xffff - 2;
const ASCII = new TextEncoder();
const EXIF = ASCII.encode("Exif\0\0");
const XMP = ASCII.encode("http://ns.adobe.com/xap/1.0/\0");
const ICC = ASCII.encode("ICC_PROFILE\0");

/**
 * The same picture with metadata. A profile takes the place of the one that the file has.
 *
 * @throws ServiceError `invalid_parameter` when a JPEG cannot hold so much
 */
export function withJpegMetadata(bytes: Uint8Array<ArrayBuffer>, { exif, xmp, icc }: Metadata): Blob {
  const source = bufferSource(bytes);
  const { segments } = readJpeg(source);
  const first = segments[0];
  const start = first !== undefined && isJfif(source, first) ? first.end : 2;
  const replaced = icc ? segments.filter((segment) => isIcc(source, segment)) : [];
  const parts: Uint8Array<ArrayBuffer>[] = [bytes.subarray(0, start)];
  if (exif) parts.push(segmentOf(MARKER.APP1, EXIF, exif));
  if (xmp) parts.push(segmentOf(MARKER.APP1, XMP, xmp));
  if (icc) parts.push(...profileSegments(icc));
  let at = start;
  for (const { start: from, end } of replaced) {
    parts.push(bytes.subarray(at, from));
    at = end;
  }
  parts.push(bytes.subarray(at));
  return new Blob(parts, { type: "image/jpeg" });
}

/** A profile in numbered parts (ICC.1, B.4). */
function profileSegments(icc: Uint8Array): Uint8Array<ArrayBuffer>[] {
  const partBytes = LONGEST_BODY - ICC.length - 2;
  const count = Math.ceil(icc.length / partBytes);
  if (count > 255) throw tooLong("colour profile");
  return Array.from({ length: count }, (_, index) =>
    segmentOf(
      MARKER.APP2,
      Uint8Array.of(...ICC, index + 1, count),
      icc.subarray(index * partBytes, (index + 1) * partBytes),
    ),
  );
}

function segmentOf(marker: number, signature: Uint8Array, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const length = 2 + signature.length + body.length;
  if (length - 2 > LONGEST_BODY) throw tooLong(signature === EXIF ? "EXIF block" : "XMP packet");
  const segment = new Uint8Array(2 + length);
  segment.set([0xff, marker, length >> 8, length & 0xff]);
  segment.set(signature, 4);
  segment.set(body, 4 + signature.length);
  return segment;
}

function tooLong(what: string): ServiceError {
  return new ServiceError(
    "invalid_parameter",
    `The image's ${what} is longer than a JPG can hold: convert it to PNG or WebP, or without keep_metadata.`,
    { parameter: "keep_metadata" },
  );
}
