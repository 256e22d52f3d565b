import { inflateAtMost } from "../../../io/bounded-inflate.ts";
import { unsupportedKind } from "../image-errors.ts";
import { damagedTiff, TAG } from "./directories.ts";
import { type FaxCoding, unpackFax } from "./fax.ts";
import type { TiffImage } from "./read-tiff.ts";
import { COMPRESSION, isFax } from "./sample-layout.ts";

/** The bytes of one row of a strip or a tile. Planes have one sample for each pixel. */
export function rowBytesOf({ piece, bits, samples, isPlanar }: TiffImage): number {
  return Math.ceil((piece.width * bits * (isPlanar ? 1 : samples)) / 8);
}

/**
 * Decompresses the first rows of a strip or a tile. JPEG is not decompressed here.
 *
 * @returns at least so many rows
 * @throws {ServiceError} `damaged_file` when the data has fewer rows, or makes no sense
 */
export function unpack(data: Uint8Array, rows: number, image: TiffImage): Uint8Array {
  const rowBytes = rowBytesOf(image);
  const coded = image.isReversed ? withReversedBits(data) : data;
  const unpacked = unpackBy(coded, rows, image, rowBytes);
  if (unpacked === undefined || unpacked.length < rows * rowBytes)
    throw damagedTiff("it has fewer pixels than its header states");
  return image.predictor === 2 ? undoPredictor(unpacked.slice(0, rows * rowBytes), image) : unpacked;
}

function unpackBy(
  data: Uint8Array,
  rows: number,
  image: TiffImage,
  rowBytes: number,
): Uint8Array | undefined {
  const { compression, piece } = image;
  if (isFax(compression)) return unpackFax(data, piece.width, rows, faxCodingOf(image));
  if (compression === COMPRESSION.lzw) return unpackLzw(data, rows * rowBytes);
  if (compression === COMPRESSION.packBits) return unpackPackBits(data, rows * rowBytes);
  if (compression === COMPRESSION.none) return data;
  // The last strip may have more rows than the image.
  const inflated = inflateAtMost(data, piece.height * rowBytes);
  return inflated === "too long" ? undefined : inflated;
}

const TWO_DIMENSIONAL = 1;

/** Returns how a fax is coded. */
export function faxCodingOf({ compression, directory }: TiffImage): FaxCoding {
  if (compression === COMPRESSION.group4) return "T.6";
  if (compression === COMPRESSION.huffman) return "rows of bytes";
  return (directory.number(TAG.T4Options, 0) & TWO_DIMENSIONAL) === 0 ? "T.4" : "T.4 two-dimensional";
}

/** Returns a copy with the bits of each byte in reverse order. */
export function withReversedBits(data: Uint8Array): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(data, (byte) => {
    const pairs = ((byte & 0x55) << 1) | ((byte >> 1) & 0x55);
    const halves = ((pairs & 0x33) << 2) | ((pairs >> 2) & 0x33);
    return ((halves & 0x0f) << 4) | (halves >> 4);
  });
}

const CLEAR = 256;
const END = 257;
const FIRST_STRING = 258;
const MOST_STRINGS = 4096;

/** Decompresses LZW (TIFF 6.0, section 13). A string is a range of the output, because all strings occur in it. */
function unpackLzw(data: Uint8Array, length: number): Uint8Array | undefined {
  // Before TIFF 6.0, some programs began each code at the lowest bit.
  if (data[0] === 0 && ((data[1] ?? 0) & 1) === 1) throw unsupportedKind("TIFF", "old-style LZW");
  const output = new Uint8Array(length);
  const starts = new Uint32Array(MOST_STRINGS);
  const lengths = new Uint32Array(MOST_STRINGS);
  let [next, codeBits, at, bit, written] = [FIRST_STRING, 9, 0, 0, 0];
  let before = { start: 0, length: 0 };
  while (written < length) {
    if (8 * at + bit + codeBits > 8 * data.length) return undefined;
    const word = ((data[at] ?? 0) << 16) | ((data[at + 1] ?? 0) << 8) | (data[at + 2] ?? 0);
    const code = (word >> (24 - codeBits - bit)) & ((1 << codeBits) - 1);
    bit += codeBits;
    at += bit >> 3;
    bit &= 7;
    if (code === END) return undefined;
    if (code === CLEAR) {
      [next, codeBits, before] = [FIRST_STRING, 9, { start: 0, length: 0 }];
      continue;
    }
    // The string before, and the first byte of this one.
    if (before.length > 0 && next < MOST_STRINGS) {
      starts[next] = before.start;
      lengths[next] = before.length + 1;
      next++;
    }
    if (code >= next) return undefined;
    before = { start: written, length: code < CLEAR ? 1 : (lengths[code] ?? 0) };
    if (code < CLEAR) output[written++] = code;
    else {
      const end = Math.min(length, written + before.length);
      for (let from = starts[code] ?? 0; written < end; ) output[written++] = output[from++] ?? 0;
    }
    if (next + 1 >= 1 << codeBits && codeBits < 12) codeBits++;
  }
  return output;
}

/** Decompresses PackBits (TIFF 6.0, section 9). */
function unpackPackBits(data: Uint8Array, length: number): Uint8Array | undefined {
  const output = new Uint8Array(length);
  let written = 0;
  for (let at = 0; written < length && at < data.length; ) {
    const header = data[at++] ?? 0;
    if (header < 128) {
      const bytes = data.subarray(at, at + Math.min(header + 1, length - written));
      output.set(bytes, written);
      written += bytes.length;
      at += header + 1;
    } else if (header > 128) {
      output.fill(data[at++] ?? 0, written, written + 257 - header);
      written += 257 - header;
    }
  }
  return written < length ? undefined : output;
}

/** Adds to each sample that of the pixel before, in place (TIFF 6.0, section 14). */
function undoPredictor(bytes: Uint8Array, image: TiffImage): Uint8Array {
  const rowBytes = rowBytesOf(image);
  const samples = image.isPlanar ? 1 : image.samples;
  if (image.bits === 8) {
    for (let row = 0; row < bytes.length; row += rowBytes) {
      for (let at = row + samples; at < row + rowBytes; at++)
        bytes[at] = (bytes[at] as number) + (bytes[at - samples] as number);
    }
    return bytes;
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const little = image.directory.file.isLittleEndian;
  for (let row = 0; row < bytes.length; row += rowBytes) {
    for (let at = row + 2 * samples; at < row + rowBytes; at += 2)
      view.setUint16(at, view.getUint16(at, little) + view.getUint16(at - 2 * samples, little), little);
  }
  return bytes;
}
