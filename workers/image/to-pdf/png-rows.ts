import { lengthOf } from "../../io/byte-ranges.ts";
import { PNG_FILTER } from "../../io/png-filters.ts";
import type { ByteSource } from "../../io/source.ts";
import { damagedPng, type Png, samplesPerPixel } from "../formats/png/read-png.ts";
import { inflatePieces } from "./inflate-ranges.ts";

/** Takes filtered rows: the filter type, then the filtered bytes. */
export interface RowTaker {
  /** The row is valid during the call only. */
  take(row: Uint8Array): void;
  /** Settles when the rows so far are compressed. Undefined when there is nothing to wait for. */
  readonly ready?: Promise<void> | undefined;
}

/** Deflate compresses by this factor at most. */
const DEFLATE_RATIO = 1032;

/** Returns the bits per pixel. */
function pixelBits({ colorType, bitDepth }: Png): number {
  return samplesPerPixel(colorType) * bitDepth;
}

/** Returns the decompressed size of a row, including the byte of its filter type. */
function rowLength(png: Png): number {
  return 1 + Math.ceil((png.width * pixelBits(png)) / 8);
}

/** Returns the decompressed size of the pixels. */
export function unpackedLength(png: Png): number {
  return png.height * rowLength(png);
}

/**
 * Decompresses the rows of a PNG that is not interlaced, from the top. Call {@link requirePossible} first.
 *
 * @throws {ServiceError} `damaged_file` when rows are missing
 */
export async function takeRows(source: ByteSource, png: Png, taker: RowTaker): Promise<void> {
  const length = rowLength(png);
  const row = new Uint8Array(length);
  let have = 0;
  let left = png.height;
  for await (const chunk of inflatePieces(source, png.data)) {
    for (let at = 0; at < chunk.length && left > 0; ) {
      if (have === 0 && chunk.length - at >= length) {
        takeRow(taker, chunk.subarray(at, at + length));
        at += length;
      } else {
        const more = chunk.subarray(at, at + length - have);
        row.set(more, have);
        have += more.length;
        at += more.length;
        if (have < length) continue;
        takeRow(taker, row);
        have = 0;
      }
      left--;
    }
    await taker.ready;
    if (left === 0) return;
  }
  throw damagedPng("it has fewer pixels than its header states");
}

function takeRow(taker: RowTaker, row: Uint8Array): void {
  if ((row[0] ?? 0) > PNG_FILTER.paeth) throw damagedPng("its pixels make no sense");
  taker.take(row);
}

/**
 * Refuses a header that promises more pixels than the data can hold, before memory is allocated.
 *
 * @throws {ServiceError} `damaged_file`
 */
export function requirePossible(png: Png): void {
  if (unpackedLength(png) > lengthOf(png.data) * DEFLATE_RATIO)
    throw damagedPng("it has fewer pixels than its header states");
}
