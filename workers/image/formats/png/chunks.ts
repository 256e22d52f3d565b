import { zlibSync } from "fflate";
import { uint32 } from "../../../io/big-endian.ts";
import { concatBytes } from "../../../io/concat-bytes.ts";
import { crc32 } from "../../../io/crc32.ts";
import type { Metadata } from "../../metadata/metadata.ts";
import { wholeXmp } from "../../metadata/xmp.ts";
import type { CodedImage } from "../codec.ts";
import { COLOR_CHUNKS } from "./colors.ts";
import { ANIMATION_CHUNKS, type Png } from "./read-png.ts";

const SIGNATURE_BYTES = 8;
/** Length, type and checksum. */
const FRAME_BYTES = 12;
const HEADER_END = SIGNATURE_BYTES + FRAME_BYTES + 13;
const ASCII = new TextEncoder();
/** The chunks of the picture, and its density. Other chunks are colors or metadata. */
const PICTURE_CHUNKS = ["PLTE", "tRNS", "IDAT", "IEND", "pHYs"];

interface Chunk {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/** Returns the same picture with metadata. Replaces metadata of the same kind. */
export function withPngMetadata(bytes: Uint8Array<ArrayBuffer>, metadata: Metadata): Blob {
  const { exif, icc } = metadata;
  const xmp = wholeXmp(metadata);
  const isReplaced = ({ name }: Chunk) => (icc && COLOR_CHUNKS.includes(name)) || name === "eXIf";
  const added = [
    ...(icc ? [chunk("iCCP", ASCII.encode("ICC profile\0\0"), zlibSync(icc))] : []),
    ...(exif ? [chunk("eXIf", exif)] : []),
    // No compression, no language, no translated keyword.
    ...(xmp ? [chunk("iTXt", ASCII.encode("XML:com.adobe.xmp\0\0\0\0\0"), xmp)] : []),
  ];
  const parts = [bytes.subarray(0, HEADER_END), ...added, ...partsWithout(bytes, isReplaced)];
  return new Blob(parts, { type: "image/png" });
}

/**
 * Returns a PNG with its coded data unchanged, up to its last chunk: the pixels, those of an animation, its density, and
 * the chunks that state its color space. Its profile is beside the data. Metadata, unknown chunks and damaged ones are
 * dropped. Decoding has checked the pixels.
 */
export function codedPng(
  bytes: Uint8Array<ArrayBuffer>,
  { color, colorChunks, disputedChunks }: Pick<Png, "color" | "colorChunks" | "disputedChunks">,
): CodedImage {
  const animation = disputedChunks.has("acTL") ? ANIMATION_CHUNKS : [];
  const kept = new Set([...PICTURE_CHUNKS, ...animation, ...colorChunks]);
  const icc = kept.delete("iCCP") && color?.kind === "icc" ? color.profile : undefined;
  let end = HEADER_END;
  for (const one of chunksBehindHeader(bytes)) {
    end = one.end;
    if (one.name === "IEND") break;
    if (one.name === "IDAT" || !kept.has(one.name) || isIntact(bytes, one)) continue;
    // Without one of its chunks, an animation is worth nothing.
    for (const name of ANIMATION_CHUNKS.includes(one.name) ? ANIMATION_CHUNKS : [one.name]) kept.delete(name);
  }
  const parts = partsWithout(bytes.subarray(0, end), ({ name }) => !kept.has(name));
  return { data: concatBytes([bytes.subarray(0, HEADER_END), ...parts]), icc };
}

/** Returns a file without the chunks on which decoders disagree. */
export function plainPng(
  file: Blob,
  bytes: Uint8Array<ArrayBuffer>,
  { disputedChunks }: Pick<Png, "disputedChunks">,
): Blob {
  if (disputedChunks.size === 0) return file;
  const parts = partsWithout(bytes, ({ name }) => disputedChunks.has(name));
  return new Blob([bytes.subarray(0, HEADER_END), ...parts]);
}

/** Returns what follows the header, without some chunks. */
function partsWithout(
  bytes: Uint8Array<ArrayBuffer>,
  isLeftOut: (chunk: Chunk) => boolean,
): Uint8Array<ArrayBuffer>[] {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let from = HEADER_END;
  for (const one of chunksBehindHeader(bytes)) {
    if (!isLeftOut(one)) continue;
    if (one.start > from) parts.push(bytes.subarray(from, one.start));
    from = one.end;
  }
  parts.push(bytes.subarray(from));
  return parts;
}

/** Whether the checksums of all pixel chunks are right. */
export function hasIntactPixels(bytes: Uint8Array): boolean {
  for (const one of chunksBehindHeader(bytes)) if (one.name === "IDAT" && !isIntact(bytes, one)) return false;
  return true;
}

/** Whether the checksum of a chunk is right. */
function isIntact(bytes: Uint8Array, { start, end }: Chunk): boolean {
  return crc32(bytes.subarray(start + 4, end - 4)) === uint32(bytes, end - 4);
}

function* chunksBehindHeader(bytes: Uint8Array): Generator<Chunk> {
  for (let at = HEADER_END; at + FRAME_BYTES <= bytes.length; ) {
    const end = at + FRAME_BYTES + uint32(bytes, at);
    yield { name: String.fromCharCode(...bytes.subarray(at + 4, at + 8)), start: at, end };
    at = end;
  }
}

function chunk(name: string, ...data: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const length = data.reduce((sum, part) => sum + part.length, 0);
  const bytes = new Uint8Array(FRAME_BYTES + length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, length);
  bytes.set(ASCII.encode(name), 4);
  let at = 8;
  for (const part of data) {
    bytes.set(part, at);
    at += part.length;
  }
  view.setUint32(at, crc32(bytes.subarray(4, at)));
  return bytes;
}
