import type { ByteSource } from "../../../io/source.ts";
import { bodyOf, isFrame, type JpegSegment, MARKER } from "./segments.ts";

/** Baseline, extended and progressive (ITU-T T.81, table B.1): the processes of DCT with Huffman coding. */
const PROGRESSIVE = 0xc2;
const TABLES = 4;
const LONGEST_CODE = 16;
const MOST_CODES = 256;
const COEFFICIENTS = 64;
/** The lowest bit that a progressive scan may begin with (G.1.1.1.2). */
const LOWEST_BIT = 13;

/** The tables that are defined so far, by their destinations. */
interface Defined {
  readonly quantization: Set<number>;
  /** The Huffman tables for DC coefficients, and for AC coefficients. */
  readonly huffman: readonly [dc: Set<number>, ac: Set<number>];
}

/** What the frame header says. */
interface Frame {
  readonly isProgressive: boolean;
  /** The destination of the quantization table of each component, by the identifier of the component. */
  readonly components: ReadonlyMap<number, number>;
}

/**
 * Returns whether each scan has the tables that it names, and whether all tables and headers are as long as they must be.
 * Otherwise decoders refuse the file. Looks at files of DCT with Huffman coding only.
 *
 * @param segments all segments, in file order
 */
export function hasSoundTables(source: ByteSource, segments: readonly JpegSegment[]): boolean {
  const defined: Defined = { quantization: new Set(), huffman: [new Set(), new Set()] };
  let frame: Frame | undefined;
  for (const segment of segments) {
    const { marker } = segment;
    if (isFrame(marker)) {
      if (marker > PROGRESSIVE) return true;
      if (frame !== undefined) return false;
      frame = frameOf(marker, bodyOf(source, segment));
      if (frame === undefined) return false;
    }
    const isSound = READERS[marker];
    if (isSound === undefined) continue;
    const body = marker === MARKER.SOS ? headerOfScan(source, segment) : bodyOf(source, segment);
    if (!isSound(body, defined, frame)) return false;
    const isLastScan = marker === MARKER.SOS && !frame?.isProgressive && body[0] === frame?.components.size;
    // Decoders have the whole picture, and read no further.
    if (isLastScan) return true;
  }
  return true;
}

/** Reads a segment and notes the tables that it defines. Returns whether it is sound. */
type Reader = (body: Uint8Array, defined: Defined, frame: Frame | undefined) => boolean;

const READERS: Readonly<Record<number, Reader>> = {
  [MARKER.DQT]: readQuantizationTables,
  [MARKER.DHT]: readHuffmanTables,
  [MARKER.DRI]: (body) => body.length === 2,
  [MARKER.SOS]: isSoundScan,
};

/** Returns undefined for a frame header of another length than it must have (B.2.2). */
function frameOf(marker: number, body: Uint8Array): Frame | undefined {
  const count = body[5] ?? 0;
  if (body.length !== 6 + 3 * count) return undefined;
  const places = Array.from({ length: count }, (_, index) => 6 + 3 * index);
  const components = new Map(places.map((at) => [body[at] ?? 0, body[at + 2] ?? 0]));
  return { isProgressive: marker === PROGRESSIVE, components };
}

/** B.2.4.1. */
function readQuantizationTables(body: Uint8Array, { quantization }: Defined): boolean {
  let at = 0;
  while (at < body.length) {
    const head = body[at] ?? 0;
    const [bytes, destination] = [1 + (head >> 4), head & 15];
    if (bytes > 2 || destination >= TABLES) return false;
    quantization.add(destination);
    at += 1 + COEFFICIENTS * bytes;
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

/** Whether a scan has the tables that it names (B.2.3), and a progressive one coefficients and bits that there can be. */
function isSoundScan(
  body: Uint8Array,
  { quantization, huffman: [dc, ac] }: Defined,
  frame: Frame | undefined,
): boolean {
  const count = body[0] ?? 0;
  if (count < 1 || count > 4 || body.length !== 4 + 2 * count) return false;
  const [first = 0, last = 0, approximation = 0] = body.subarray(-3);
  if (frame?.isProgressive && !isSoundProgression(body)) return false;
  // A refinement of DC coefficients has no Huffman codes (G.1.2.1.2).
  const usesDc = first === 0 && approximation >> 4 === 0;
  return Array.from({ length: count }, (_, index) => 1 + 2 * index).every((at) => {
    const table = frame?.components.get(body[at] ?? 0);
    const selectors = body[at + 1] ?? 0;
    if (table === undefined || !quantization.has(table)) return false;
    return (!usesDc || dc.has(selectors >> 4)) && (last === 0 || ac.has(selectors & 15));
  });
}

/** Whether a progressive scan may have these coefficients, and these bits of them (G.1.1.1.1 and G.1.1.1.2). */
function isSoundProgression(body: Uint8Array): boolean {
  const [first = 0, last = 0, approximation = 0] = body.subarray(-3);
  const [before, bit] = [approximation >> 4, approximation & 15];
  // AC coefficients come for one component at a time.
  const isBand = first === 0 ? last === 0 : body[0] === 1 && last >= first && last < COEFFICIENTS;
  return isBand && bit <= LOWEST_BIT && (before === 0 || before === bit + 1);
}
