import type { BytePart } from "../../../io/byte-ranges.ts";
import { bufferSource } from "../../../io/source.ts";
import { type Png, readPng } from "./read-png.ts";
import { hasIntactPixels } from "./repaired-copy.ts";
import { PlainRows } from "./row-sinks.ts";
import { type DamagedRows, hasSoundRows, requirePossible, takeRows } from "./rows.ts";
import { withPngPixels } from "./write-metadata.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** A PNG with rows compressed anew. */
export interface RecompressedPng {
  readonly bytes: Bytes;
  /** Rows that nothing is known of, counted from 0. Their values are 0, which a palette has a color for. */
  readonly blankRows: readonly number[];
}

/** Whether nothing is wrong with a PNG's pixels. */
export async function isSoundPng(bytes: Bytes, png: Png): Promise<boolean> {
  return hasIntactPixels(bytes) && hasSoundRows(bufferSource(bytes), png);
}

/**
 * A PNG whose pixels browsers refuse, its rows compressed anew: whatever the check sum of the compressed data and what
 * stands behind it say, and a row with a filter that does not exist left blank.
 *
 * @param repaired as `repairedPng` gives it
 * @param lost what becomes of rows behind the place where the data makes no sense any longer
 * @throws {ServiceError} `damaged_file` when there are fewer rows than the header says
 */
export async function recompressedPng(repaired: Bytes, lost: DamagedRows["lost"]): Promise<RecompressedPng> {
  const source = bufferSource(repaired);
  const png = readPng(source);
  requirePossible(png);
  const rows = new PlainRows();
  const blankRows: number[] = [];
  const onBlank = (row: number) => blankRows.push(row);
  await takeRows(source, png, rows, { unknownFilter: "blank", lost, onBlank });
  const pixels = (await rows.end()).flatMap((piece: BytePart) =>
    piece.kind === "bytes" ? [piece.bytes] : [],
  );
  return { bytes: withPngPixels(repaired, pixels), blankRows };
}
