import type { Metadata } from "../../metadata/metadata.ts";
import { wholeXmp } from "../../metadata/xmp.ts";
import type { Size } from "../../picture/size.ts";
import { damagedImage } from "../image-errors.ts";

/** The structure of a WebP file (RFC 9649). */
export interface WebpFile extends Metadata, Size {
  /** Whether pixels may be transparent. */
  readonly hasAlpha: boolean;
  readonly isAnimated: boolean;
  /** Whether the pixels are kept exactly (VP8L). */
  readonly isLossless: boolean;
}

interface Chunk {
  readonly type: string;
  /** The offset of its data. */
  readonly start: number;
  readonly end: number;
}

const RIFF_HEADER = 12;
const CHUNK_HEADER = 8;
const VP8X_BYTES = 10;
/** The header of VP8L: a signature, width and height with 14 bits each, whether there is alpha, and the version. */
const LOSSLESS_HEADER = 5;
/** The header of VP8: a frame tag, a start code, width and height with 14 bits each. */
const LOSSY_HEADER = 10;
const FLAGS = { animation: 0x02, xmp: 0x04, exif: 0x08, alpha: 0x10, icc: 0x20 };
/** The chunks of the picture. Other chunks are metadata. */
const PICTURE_CHUNKS: readonly string[] = ["ANIM", "ANMF", "ALPH", "VP8 ", "VP8L"];
/** An animation has a few chunks for each frame. */
const MOST_CHUNKS = 100_000;

/**
 * Reads the structure.
 *
 * @throws {ServiceError} `damaged_file` when it is cut off or makes no sense
 */
export function readWebp(bytes: Uint8Array<ArrayBuffer>): WebpFile {
  const chunks = chunksOf(bytes);
  const data = (type: string) => {
    const chunk = chunks.find((one) => one.type === type);
    return chunk && bytes.subarray(chunk.start, chunk.end);
  };
  const metadata = { exif: data("EXIF"), xmp: data("XMP "), icc: data("ICCP") };
  const extended = data("VP8X");
  const pixels = chunks.find(hasPixels);
  const pixelData = pixels && bytes.subarray(pixels.start, pixels.end);
  const lossless = pixels?.type === "VP8L" ? pixelData : undefined;
  if (extended !== undefined && extended.length >= VP8X_BYTES) {
    const view = viewOf(extended);
    const flags = view.getUint8(0);
    return {
      ...metadata,
      width: 1 + uint24(view, 4),
      height: 1 + uint24(view, 7),
      // Some decoders follow the pixel data instead of the flag.
      hasAlpha: (flags & FLAGS.alpha) !== 0 || data("ALPH") !== undefined || losslessHasAlpha(lossless),
      isAnimated: (flags & FLAGS.animation) !== 0,
      isLossless: lossless !== undefined,
    };
  }
  if (lossless !== undefined && lossless.length >= LOSSLESS_HEADER) {
    const bits = viewOf(lossless).getUint32(1, true);
    const width = 1 + (bits & 0x3fff);
    const height = 1 + ((bits >>> 14) & 0x3fff);
    return { width, height, hasAlpha: losslessHasAlpha(lossless), isAnimated: false, isLossless: true };
  }
  if (pixels?.type === "VP8 " && pixelData !== undefined && pixelData.length >= LOSSY_HEADER) {
    const view = viewOf(pixelData);
    const width = view.getUint16(6, true) & 0x3fff;
    const height = view.getUint16(8, true) & 0x3fff;
    return { width, height, hasAlpha: false, isAnimated: false, isLossless: false };
  }
  throw damaged("it holds no picture");
}

/** Whether a chunk has the pixels of a still picture. Decoders take the first of them. */
function hasPixels({ type }: Chunk): boolean {
  return type === "VP8 " || type === "VP8L";
}

/** Whether the header of lossless pixels announces transparency. */
function losslessHasAlpha(lossless: Uint8Array | undefined): boolean {
  return lossless !== undefined && lossless.length >= LOSSLESS_HEADER && ((lossless[4] ?? 0) & 0x10) !== 0;
}

/** Returns the same picture with other metadata. Removes what `metadata` does not hold. */
export function withWebpMetadata(bytes: Uint8Array<ArrayBuffer>, metadata: Metadata): Blob {
  const { width, height, hasAlpha, isAnimated } = readWebp(bytes);
  const { icc, exif } = metadata;
  const xmp = wholeXmp(metadata);
  const picture = pictureChunks(bytes, isAnimated).flatMap(({ type, start, end }) =>
    chunk(type, bytes.subarray(start, end)),
  );
  const flags =
    (icc ? FLAGS.icc : 0) |
    (exif ? FLAGS.exif : 0) |
    (xmp ? FLAGS.xmp : 0) |
    (hasAlpha ? FLAGS.alpha : 0) |
    (isAnimated ? FLAGS.animation : 0);
  const extended = new DataView(new ArrayBuffer(VP8X_BYTES));
  extended.setUint8(0, flags);
  setUint24(extended, 4, width - 1);
  setUint24(extended, 7, height - 1);
  const parts = [
    ...chunk("VP8X", new Uint8Array(extended.buffer)),
    ...(icc ? chunk("ICCP", icc) : []),
    ...picture,
    ...(exif ? chunk("EXIF", exif) : []),
    ...(xmp ? chunk("XMP ", xmp) : []),
  ];
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  return new Blob([riffHeader(length), ...parts], { type: "image/webp" });
}

/**
 * Returns the chunks that make the picture. Those of a still picture are the first with pixels, and its alpha (RFC 9649,
 * 2.7). Decoders ignore others in a file without VP8X, and refuse them in one with it.
 */
function pictureChunks(bytes: Uint8Array<ArrayBuffer>, isAnimated: boolean): readonly Chunk[] {
  const chunks = chunksOf(bytes).filter(({ type }) => PICTURE_CHUNKS.includes(type));
  const pixels = chunks.find(hasPixels);
  if (isAnimated || pixels === undefined) return chunks;
  const alpha = chunks.find(({ type, start }) => type === "ALPH" && start < pixels.start);
  return alpha && pixels.type === "VP8 " ? [alpha, pixels] : [pixels];
}

/**
 * Returns a file that all decoders treat alike: with its EXIF overwritten, so that none rotates the picture, and with
 * the flag for transparency. Returns the same bytes when nothing must change.
 */
export function plainWebp(
  bytes: Uint8Array<ArrayBuffer>,
  { hasAlpha }: Pick<WebpFile, "hasAlpha">,
): Uint8Array<ArrayBuffer> {
  const chunks = chunksOf(bytes);
  const exif = chunks.find(({ type }) => type === "EXIF");
  const extended = chunks.find(({ type, start, end }) => type === "VP8X" && end > start);
  const flags = extended && bytes[extended.start];
  const isUnsaid = hasAlpha && flags !== undefined && (flags & FLAGS.alpha) === 0;
  if (exif === undefined && !isUnsaid) return bytes;
  const copy = bytes.slice();
  if (exif) copy.fill(0, exif.start, exif.end);
  if (extended && flags !== undefined && isUnsaid) copy[extended.start] = flags | FLAGS.alpha;
  return copy;
}

function chunksOf(bytes: Uint8Array<ArrayBuffer>): Chunk[] {
  const view = viewOf(bytes);
  if (bytes.length < RIFF_HEADER) throw damaged("it is cut off");
  // Data after the RIFF chunk does not belong to the picture.
  const end = Math.min(bytes.length, 8 + view.getUint32(4, true));
  const chunks: Chunk[] = [];
  for (let at = RIFF_HEADER; at + CHUNK_HEADER <= end && chunks.length < MOST_CHUNKS; ) {
    const type = String.fromCharCode(...bytes.subarray(at, at + 4));
    const start = at + CHUNK_HEADER;
    const length = view.getUint32(at + 4, true);
    // Chunks of odd length are padded.
    at = start + length + (length & 1);
    if (start + length > bytes.length) {
      if (type === "EXIF" || type === "XMP ") break;
      throw damaged("it is cut off");
    }
    chunks.push({ type, start, end: start + length });
  }
  return chunks;
}

function chunk(type: string, data: Uint8Array): Uint8Array<ArrayBuffer>[] {
  const header = new DataView(new ArrayBuffer(CHUNK_HEADER));
  for (let index = 0; index < 4; index++) header.setUint8(index, type.charCodeAt(index));
  header.setUint32(4, data.length, true);
  return [new Uint8Array(header.buffer), new Uint8Array(data), new Uint8Array(data.length & 1)];
}

function riffHeader(length: number): Uint8Array<ArrayBuffer> {
  const header = new TextEncoder().encode("RIFF    WEBP");
  viewOf(header).setUint32(4, 4 + length, true);
  return header;
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
}

function uint24(view: DataView, at: number): number {
  return view.getUint16(at, true) | (view.getUint8(at + 2) << 16);
}

function setUint24(view: DataView, at: number, value: number): void {
  view.setUint16(at, value & 0xffff, true);
  view.setUint8(at + 2, value >>> 16);
}

const damaged = (how: string) => damagedImage("WebP", how);
