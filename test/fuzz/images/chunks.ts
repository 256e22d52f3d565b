import { crc32 } from "../../../workers/io/crc32.ts";
import { box } from "../../support/fixtures/heif.ts";
import { concatBytes, latin1 } from "../../support/fixtures/image/bytes.ts";

/** A chunk of a PNG or WebP, a segment of a JPEG, a box of a HEIC, AVIF or JPEG XL. */
export interface Chunk {
  /** Its name; of a JPEG the marker in hexadecimal digits, or `data` for entropy-coded data. */
  name: string;
  data: Uint8Array;
  /** The chunks in its data, which come after {@link data}. */
  children: Chunk[];
  /** The length that it states, if that is not true. */
  statedLength?: number;
}

/** A file of chunks. */
export interface Chunks {
  readonly kind: "png" | "riff" | "jpeg" | "boxes";
  chunks: Chunk[];
}

const PNG_SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);

/** Boxes with boxes inside, and the number of bytes before these (ISO/IEC 14496-12, ISO/IEC 23008-12). */
const CONTAINERS: Readonly<Record<string, number>> = {
  ...{ meta: 4, iinf: 6, iref: 4, iprp: 0, ipco: 0, grpl: 0, dinf: 0 },
  ...{ moov: 0, trak: 0, mdia: 0, minf: 0, stbl: 0, stsd: 8 },
};

/** Takes a file apart. Returns undefined for a format without chunks, or a file that is not whole. */
export function readChunks(bytes: Uint8Array): Chunks | undefined {
  try {
    if (text(bytes, 1, 4) === "PNG") return { kind: "png", chunks: pngChunks(bytes) };
    if (text(bytes, 0, 4) === "RIFF") return { kind: "riff", chunks: riffChunks(bytes) };
    if (bytes[0] === 0xff && bytes[1] === 0xd8) return { kind: "jpeg", chunks: jpegSegments(bytes) };
    if (["ftyp", "JXL "].includes(text(bytes, 4, 8))) return { kind: "boxes", chunks: boxes(bytes) };
  } catch (thrown) {
    // A length leads out of the file.
    if (!(thrown instanceof RangeError)) throw thrown;
  }
  return undefined;
}

/** Puts a file together, with true lengths and check sums but where a chunk states another length. */
export function writeChunks({ kind, chunks }: Chunks): Uint8Array<ArrayBuffer> {
  switch (kind) {
    case "png":
      return concatBytes([PNG_SIGNATURE, ...chunks.map(pngChunk)]);
    case "riff": {
      const body = concatBytes([latin1("WEBP"), ...chunks.map(riffChunk)]);
      return concatBytes([latin1("RIFF"), uint32(body.length, true), body]);
    }
    case "jpeg":
      return concatBytes([Uint8Array.of(0xff, 0xd8), ...chunks.map(jpegSegment)]);
    case "boxes":
      return concatBytes(chunks.map(boxOf));
  }
}

function pngChunks(bytes: Uint8Array): Chunk[] {
  const chunks: Chunk[] = [];
  for (let at = 8; at < bytes.length; ) {
    const end = at + 8 + viewOf(bytes).getUint32(at);
    chunks.push({ name: text(bytes, at + 4, at + 8), data: bytes.subarray(at + 8, end), children: [] });
    at = end + 4;
  }
  return chunks;
}

function pngChunk({ name, data, statedLength = data.length }: Chunk): Uint8Array {
  const checked = concatBytes([latin1(name), data]);
  return concatBytes([uint32(statedLength), checked, uint32(crc32(checked))]);
}

function riffChunks(bytes: Uint8Array): Chunk[] {
  const chunks: Chunk[] = [];
  for (let at = 12; at < bytes.length; ) {
    const end = at + 8 + viewOf(bytes).getUint32(at + 4, true);
    chunks.push({ name: text(bytes, at, at + 4), data: bytes.subarray(at + 8, end), children: [] });
    at = end + (end % 2);
  }
  return chunks;
}

function riffChunk({ name, data, statedLength = data.length }: Chunk): Uint8Array {
  return concatBytes([latin1(name), uint32(statedLength, true), data, new Uint8Array(data.length % 2)]);
}

/** Markers without a length (ITU-T T.81, table B.1): restart markers and those of the start and the end. */
const isBare = (marker: number) => marker >= 0xd0 && marker <= 0xd9;

function jpegSegments(bytes: Uint8Array): Chunk[] {
  const chunks: Chunk[] = [];
  for (let at = 2; at < bytes.length; ) {
    const marker = bytes[at + 1] ?? 0;
    if (bytes[at] !== 0xff || marker === 0 || isBare(marker)) {
      // Entropy-coded data with its restart markers, up to the next other marker; or the end.
      let end = at + 2;
      while (end < bytes.length && !isSegment(bytes, end)) end++;
      chunks.push({ name: "data", data: bytes.subarray(at, end), children: [] });
      at = end;
      continue;
    }
    const end = at + 2 + viewOf(bytes).getUint16(at + 2);
    chunks.push({ name: marker.toString(16), data: bytes.subarray(at + 4, end), children: [] });
    at = end;
  }
  return chunks;
}

const isSegment = (bytes: Uint8Array, at: number) =>
  bytes[at] === 0xff && (bytes[at + 1] ?? 0) >= 0xc0 && !isBare(bytes[at + 1] ?? 0);

function jpegSegment({ name, data, statedLength = data.length + 2 }: Chunk): Uint8Array {
  if (name === "data") return data;
  const head = Uint8Array.of(0xff, Number.parseInt(name, 16), statedLength >> 8, statedLength);
  return concatBytes([head, data]);
}

function boxes(bytes: Uint8Array): Chunk[] {
  const found: Chunk[] = [];
  for (let at = 0; at < bytes.length; ) {
    const length = viewOf(bytes).getUint32(at) || bytes.length - at;
    if (length < 8) throw new RangeError("a box without a header, or a long one");
    const name = text(bytes, at + 4, at + 8);
    const body = bytes.subarray(at + 8, at + length);
    const prefix = CONTAINERS[name];
    if (prefix === undefined) found.push({ name, data: body, children: [] });
    else found.push({ name, data: body.subarray(0, prefix), children: boxes(body.subarray(prefix)) });
    at += length;
  }
  return found;
}

function boxOf({ name, data, children, statedLength }: Chunk): Uint8Array {
  const bytes = box(name, data, ...children.map(boxOf));
  if (statedLength !== undefined) viewOf(bytes).setUint32(0, statedLength);
  return bytes;
}

function uint32(value: number, littleEndian = false): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(4);
  viewOf(bytes).setUint32(0, value, littleEndian);
  return bytes;
}

const viewOf = ({ buffer, byteOffset, length }: Uint8Array) => new DataView(buffer, byteOffset, length);

const text = (bytes: Uint8Array, start: number, end: number) =>
  String.fromCharCode(...bytes.subarray(start, end));
