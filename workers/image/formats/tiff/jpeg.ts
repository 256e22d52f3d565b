import { concatBytes } from "../../../io/concat-bytes.ts";
import { damagedTiff, TAG } from "./directories.ts";
import type { TiffImage } from "./read-tiff.ts";
import { PHOTOMETRIC } from "./sample-layout.ts";

const MARKER_BYTES = 2;
const SOI = 0xd8;
const EOI = 0xd9;
/** Adobe's segment. It says at its end whether the components are YCbCr. Otherwise decoders guess it from other signs. */
const ADOBE = [0xff, 0xee, 0, 14, 0x41, 0x64, 0x6f, 0x62, 0x65, 0, 100, 0, 0, 0, 0];
const TRANSFORM = { none: 0, ycbcr: 1 };

/**
 * Returns a strip or a tile as a JPEG of its own, with the tables of the image (TIFF Technical Note 2).
 *
 * @throws {ServiceError} `damaged_file`
 */
export function wholeJpeg(data: Uint8Array, image: TiffImage): Uint8Array<ArrayBuffer> {
  const { photometric, samples, directory } = image;
  if (!hasMarker(data, 0, SOI)) throw damagedTiff("a JPEG in it does not begin as one");
  const tables = directory.bytes(TAG.JPEGTables) ?? new Uint8Array();
  const hasEnd = hasMarker(tables, tables.length - MARKER_BYTES, EOI);
  const transform = photometric === PHOTOMETRIC.ycbcr ? TRANSFORM.ycbcr : TRANSFORM.none;
  return concatBytes([
    data.subarray(0, MARKER_BYTES),
    Uint8Array.from(samples === 3 ? [...ADOBE, transform] : []),
    tables.subarray(MARKER_BYTES, hasEnd ? -MARKER_BYTES : tables.length),
    data.subarray(MARKER_BYTES),
  ]);
}

function hasMarker(bytes: Uint8Array, at: number, marker: number): boolean {
  return bytes[at] === 0xff && bytes[at + 1] === marker;
}
