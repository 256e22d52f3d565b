import { ServiceError } from "../../../../src/shared/errors.ts";
import { type ByteSource, bufferSource } from "../../../io/source.ts";
import { inflatePieces } from "./inflate-ranges.ts";
import { damagedPng, type Png, samplesPerPixel } from "./read-png.ts";
import { hasIntactPixels } from "./repaired-copy.ts";
import { FILTER_COUNT, filterRow, unfilterRow } from "./row-filters.ts";

/** Takes filtered rows: the filter type, then the filtered bytes. */
export interface RowTaker {
  /** The row is valid during the call only. */
  take(row: Uint8Array): void;
  /** Settles when the rows so far are compressed. Undefined when there is nothing to wait for. */
  readonly ready?: Promise<void> | undefined;
}

/** Deflate compresses by this factor at most. */
const DEFLATE_RATIO = 1032;
const LARGEST_UNFILTERED = 1024 * 1024 * 1024;

/** An interlacing pass: its first pixel, the steps between pixels, and its size (PNG 3, 8.1). */
interface Pass {
  readonly x: number;
  readonly y: number;
  readonly stepX: number;
  readonly stepY: number;
  readonly width: number;
  readonly height: number;
}

const ADAM7 = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

/** Returns the bits per pixel. */
function pixelBits({ colorType, bitDepth }: Png): number {
  return samplesPerPixel(colorType) * bitDepth;
}

/** Returns the distance to the pixel on the left, in bytes, for filters. */
export function pixelBytes(png: Png): number {
  return Math.max(1, pixelBits(png) >> 3);
}

/** Returns the bytes of that many pixels in a row. */
export function rowBytes(png: Png, width = png.width): number {
  return Math.ceil((width * pixelBits(png)) / 8);
}

/** Returns the decompressed size of the pixels. */
export function unpackedLength(png: Png): number {
  return passesOf(png).reduce((sum, { width, height }) => sum + height * (1 + rowBytes(png, width)), 0);
}

/**
 * Decompresses the rows of a PNG from the top. Brings interlaced rows into order. Call {@link requirePossible} first.
 *
 * @throws {ServiceError} `damaged_file` when rows are missing, `input_too_large`
 */
export async function takeRows(source: ByteSource, png: Png, taker: RowTaker): Promise<void> {
  if (!png.interlaced) {
    await takeStoredRows(source, png, taker);
    return;
  }
  const length = rowBytes(png);
  const pixels = await pixelsInOrder(source, png);
  const rows = { pixels, rowLength: length, pixelBytes: pixelBytes(png) };
  await takeFiltered(rows, taker);
}

/** Filters rows of pixels, and passes them on. */
export async function takeFiltered(
  rows: { readonly pixels: Uint8Array; readonly rowLength: number; readonly pixelBytes: number },
  taker: RowTaker,
): Promise<void> {
  const { pixels, rowLength } = rows;
  const filtered = new Uint8Array(1 + rowLength);
  let above = new Uint8Array(rowLength);
  for (let at = 0; at < pixels.length; at += rowLength) {
    const row = pixels.subarray(at, at + rowLength);
    filterRow(row, above, rows.pixelBytes, filtered);
    taker.take(filtered);
    const { ready } = taker;
    if (ready) await ready;
    above = row as Uint8Array<ArrayBuffer>;
  }
}

/** Passes on the rows in file order, pass by pass. */
async function takeStoredRows(source: ByteSource, png: Png, taker: RowTaker): Promise<void> {
  const lengths = rowLengths(png);
  let wanted = lengths.next();
  let row = new Uint8Array(wanted.done ? 0 : wanted.value);
  let have = 0;
  for await (const chunk of inflatePieces(source, png.data)) {
    for (let at = 0; at < chunk.length && !wanted.done; ) {
      const length = wanted.value;
      if (have === 0 && chunk.length - at >= length) {
        takeRow(taker, chunk.subarray(at, at + length));
        at += length;
      } else {
        const more = chunk.subarray(at, at + length - have);
        row.set(more, have);
        have += more.length;
        at += more.length;
        if (have < length) continue;
        takeRow(taker, row.subarray(0, length));
        have = 0;
      }
      wanted = lengths.next();
      if (!wanted.done && wanted.value > row.length) row = new Uint8Array(wanted.value);
    }
    await taker.ready;
    if (wanted.done) return;
  }
  throw damagedPng("it has fewer pixels than it says");
}

function takeRow(taker: RowTaker, row: Uint8Array): void {
  if ((row[0] ?? 0) >= FILTER_COUNT) throw damagedPng("its pixels make no sense");
  taker.take(row);
}

/**
 * Refuses a header that promises more pixels than the data can hold, before memory is allocated.
 *
 * @throws {ServiceError} `damaged_file`
 */
export function requirePossible(png: Png): void {
  const packed = png.data.reduce(
    (sum, piece) => sum + (piece.kind === "range" ? piece.end - piece.start : 0),
    0,
  );
  if (unpackedLength(png) > packed * DEFLATE_RATIO) throw damagedPng("it has fewer pixels than it says");
}

/** Whether the rows are sound: complete, with known filter types and right checksums, and nothing after them. */
export async function isSoundPng(bytes: Uint8Array<ArrayBuffer>, png: Png): Promise<boolean> {
  return hasIntactPixels(bytes) && hasSoundRows(bufferSource(bytes), png);
}

async function hasSoundRows(source: ByteSource, png: Png): Promise<boolean> {
  const lengths = rowLengths(png);
  let left = 0;
  try {
    for await (const chunk of inflatePieces(source, png.data)) {
      for (let at = 0; at < chunk.length; ) {
        if (left === 0) {
          const next = lengths.next();
          if (next.done || (chunk[at] ?? 0) >= FILTER_COUNT) return false;
          left = next.value;
        }
        const taken = Math.min(left, chunk.length - at);
        at += taken;
        left -= taken;
      }
    }
  } catch (thrown) {
    if (thrown instanceof ServiceError && thrown.code === "damaged_file") return false;
    throw thrown;
  }
  return left === 0 && lengths.next().done === true;
}

/** Yields the length of each row in file order, including the byte of its filter type. */
function* rowLengths(png: Png): Generator<number, undefined, undefined> {
  for (const { width, height } of passesOf(png)) {
    const length = 1 + rowBytes(png, width);
    for (let y = 0; y < height; y++) yield length;
  }
  return undefined;
}

function passesOf({ width, height, interlaced }: Png): readonly Pass[] {
  if (!interlaced) return [{ x: 0, y: 0, stepX: 1, stepY: 1, width, height }];
  return ADAM7.map(([x, y, stepX, stepY]) => ({
    ...{ x, y, stepX, stepY },
    width: Math.max(0, Math.ceil((width - x) / stepX)),
    height: Math.max(0, Math.ceil((height - y) / stepY)),
  })).filter((pass) => pass.width > 0 && pass.height > 0);
}

/** Returns all pixels in order, unfiltered. */
async function pixelsInOrder(source: ByteSource, png: Png): Promise<Uint8Array> {
  const length = rowBytes(png) * png.height;
  if (length > LARGEST_UNFILTERED) {
    throw new ServiceError("input_too_large", "The PNG image is too large to be put in order here.", {
      width: png.width,
      height: png.height,
    });
  }
  const pixels = new Uint8Array(length);
  const passes = passesOf(png).values();
  let pass = passes.next();
  let y = 0;
  let above = new Uint8Array(rowBytes(png));
  const scattered: RowTaker = {
    take(row) {
      if (pass.done) return;
      const own = row.slice(1);
      unfilterRow(row[0] ?? 0, own, above, pixelBytes(png));
      scatter(png, pass.value, y, own, pixels);
      above = own;
      y++;
      if (y < pass.value.height) return;
      pass = passes.next();
      y = 0;
      above = new Uint8Array(rowBytes(png));
    },
  };
  await takeStoredRows(source, png, scattered);
  return pixels;
}

/** Copies the pixels of a row of a pass to their places. */
function scatter(png: Png, pass: Pass, y: number, row: Uint8Array, pixels: Uint8Array): void {
  const bits = pixelBits(png);
  const start = (pass.y + y * pass.stepY) * rowBytes(png);
  if (bits >= 8) {
    const bytes = bits >> 3;
    for (let index = 0; index < pass.width; index++) {
      const to = start + (pass.x + index * pass.stepX) * bytes;
      for (let at = 0; at < bytes; at++) pixels[to + at] = row[index * bytes + at] as number;
    }
    return;
  }
  const mask = (1 << bits) - 1;
  for (let index = 0; index < pass.width; index++) {
    const from = index * bits;
    const value = ((row[from >> 3] as number) >> (8 - bits - (from & 7))) & mask;
    const to = (pass.x + index * pass.stepX) * bits;
    const at = start + (to >> 3);
    pixels[at] = (pixels[at] as number) | (value << (8 - bits - (to & 7)));
  }
}
