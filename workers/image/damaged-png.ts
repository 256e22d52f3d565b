import { bufferSource } from "../pdf/bytes/source.ts";
import type { Piece } from "./containers/pieces.ts";
import { readPng } from "./containers/png.ts";
import { withPngPixels } from "./containers/png-metadata.ts";
import { requirePossible, takeRows } from "./to-pdf/png-rows.ts";
import { PlainRows } from "./to-pdf/row-takers.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/**
 * A PNG whose pixels browsers refuse, its rows compressed anew: whatever the check sum of the compressed data and what
 * stands behind it say, and a row with a filter that does not exist left blank.
 *
 * @param repaired as `repairedPng` gives it
 * @throws ServiceError `damaged_file` when there are fewer rows than the header says
 */
export async function recompressedPng(repaired: Bytes): Promise<Bytes> {
  const source = bufferSource(repaired);
  const png = readPng(source);
  requirePossible(png);
  const rows = new PlainRows();
  await takeRows(source, png, rows, "blank");
  const pixels = (await rows.end()).flatMap((piece: Piece) => (piece.kind === "bytes" ? [piece.bytes] : []));
  return withPngPixels(repaired, pixels);
}
