import type { ByteSource } from "../../../io/source.ts";
import { bodyOf, isFrame, type JpegSegment, MARKER } from "./segments.ts";

/** Baseline, extended and progressive (ITU-T T.81, table B.1): the processes of DCT with Huffman coding. */
const LAST_HUFFMAN_PROCESS = 0xc2;
const TABLES = 4;
const LONGEST_CODE = 16;
const MOST_CODES = 256;
const QUANTIZED = 64;

/** The tables that are defined so far, by their destinations. */
interface Defined {
  readonly quantization: Set<number>;
  /** The Huffman tables for DC coefficients, and for AC coefficients. */
  readonly huffman: readonly [dc: Set<number>, ac: Set<number>];
}

/** The destination of the quantization table of each component, by the identifier of the component. */
type Components = ReadonlyMap<number, number>;

/**
 * Returns whether each scan has the tables that it names, and whether all tables and headers are as long as they must be.
 * Otherwise decoders refuse the file. Looks at files of DCT with Huffman coding only.
 *
 * @param segments all segments, in file order
 */
export function hasSoundTables(source: ByteSource, segments: readonly JpegSegment[]): boolean {
  const defined: Defined = { quantization: new Set(), huffman: [new Set(), new Set()] };
  let components: Components | undefined;
  for (const segment of segments) {
    const { marker } = segment;
    if (isFrame(marker)) {
      if (marker > LAST_HUFFMAN_PROCESS) return true;
      if (components !== undefined) return false;
      components = componentsOf(bodyOf(source, segment));
      if (components === undefined) return false;
    }
    const isSound = READERS[marker];
    if (isSound === undefined) continue;
    const body = marker === MARKER.SOS ? headerOfScan(source, segment) : bodyOf(source, segment);
    if (!isSound(body, defined, components)) return false;
  }
  return true;
}

/** Reads a segment and notes the tables that it defines. Returns whether it is sound. */
type Reader = (body: Uint8Array, defined: Defined, components: Components | undefined) => boolean;

const READERS: Readonly<Record<number, Reader>> = {
  [MARKER.DQT]: readQuantizationTables,
  [MARKER.DHT]: readHuffmanTables,
  [MARKER.DRI]: (body) => body.length === 2,
  [MARKER.SOS]: isSoundScan,
};

/** Returns undefined for a frame header of another length than it must have (B.2.2). */
function componentsOf(body: Uint8Array): Components | undefined {
  const count = body[5] ?? 0;
  if (body.length !== 6 + 3 * count) return undefined;
  const places = Array.from({ length: count }, (_, index) => 6 + 3 * index);
  return new Map(places.map((at) => [body[at] ?? 0, body[at + 2] ?? 0]));
}

/** B.2.4.1. */
function readQuantizationTables(body: Uint8Array, { quantization }: Defined): boolean {
  let at = 0;
  while (at < body.length) {
    const head = body[at] ?? 0;
    const [bytes, destination] = [1 + (head >> 4), head & 15];
    if (bytes > 2 || destination >= TABLES) return false;
    quantization.add(destination);
    at += 1 + QUANTIZED * bytes;
  }
  return at === body.length;
}

/** B.2.4.2. */
function readHuffmanTables(body: Uint8Array, { huffman }: Defined): boolean {
  let at = 0;
  while (at < body.length) {
    const head = body[at] ?? 0;
    const table = huffman[head >> 4];
    const lengths = body.subarray(at + 1, at + 1 + LONGEST_CODE);
    const codes = lengths.reduce((sum, count) => sum + count, 0);
    if (table === undefined || (head & 15) >= TABLES || codes > MOST_CODES || !isCode(lengths)) return false;
    table.add(head & 15);
    at += 1 + LONGEST_CODE + codes;
  }
  return at === body.length;
}

/** Whether there are so many codes of each length, none of which begins with another one (annex C). */
function isCode(lengths: Uint8Array): boolean {
  let free = 1;
  for (const count of lengths) {
    free = 2 * free - count;
    if (free < 0) return false;
  }
  return true;
}

/** Returns the header of a scan after its length. The coded data follow it. */
function headerOfScan(source: ByteSource, { start, end }: JpegSegment): Uint8Array {
  const [high = 0, low = 0] = source.read(start + 2, start + 4);
  return source.read(start + 4, Math.min(end, start + 2 + 256 * high + low));
}

/** Whether a scan has the tables that it names (B.2.3). */
function isSoundScan(
  body: Uint8Array,
  { quantization, huffman: [dc, ac] }: Defined,
  components: Components | undefined,
): boolean {
  const count = body[0] ?? 0;
  if (count < 1 || count > 4 || body.length !== 4 + 2 * count) return false;
  const [first = 0, last = 0, approximation = 0] = body.subarray(-3);
  // A refinement of DC coefficients has no Huffman codes (G.1.2.1.2).
  const usesDc = first === 0 && approximation >> 4 === 0;
  return Array.from({ length: count }, (_, index) => 1 + 2 * index).every((at) => {
    const table = components?.get(body[at] ?? 0);
    const selectors = body[at + 1] ?? 0;
    if (table === undefined || !quantization.has(table)) return false;
    return (!usesDc || dc.has(selectors >> 4)) && (last === 0 || ac.has(selectors & 15));
  });
}
