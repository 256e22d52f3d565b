import { bufferSource } from "../../../io/source.ts";
import { type Png, readPng } from "./read-png.ts";
import { hasIntactPixels } from "./repaired-copy.ts";
import { PlainRows } from "./row-sinks.ts";
import { hasSoundRows, requirePossible, takeRows } from "./rows.ts";
import { withPngPixels } from "./write-metadata.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** Whether the pixels of a PNG are sound: their checksums, their filter types and the number of rows. */
export async function isSoundPng(bytes: Bytes, png: Png): Promise<boolean> {
  return hasIntactPixels(bytes) && hasSoundRows(bufferSource(bytes), png);
}

/**
 * Returns a PNG with its rows compressed again. This repairs a wrong Adler-32 checksum and data after the zlib stream,
 * which browsers refuse.
 *
 * @param repaired the result of `repairedPng`
 * @throws {ServiceError} `damaged_file` when rows are missing or make no sense
 */
export async function recompressedPng(repaired: Bytes): Promise<Bytes> {
  const source = bufferSource(repaired);
  const png = readPng(source);
  requirePossible(png);
  const rows = new PlainRows();
  await takeRows(source, png, rows);
  const pixels = (await rows.end()).flatMap((piece) => (piece.kind === "bytes" ? [piece.bytes] : []));
  return withPngPixels(repaired, pixels);
}
