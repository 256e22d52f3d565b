import { type Helper, serveTasks } from "../../crew.ts";
import { type TilePlace, withLibheif } from "./libheif.ts";
import type { Colour } from "./properties.ts";
import { buffersOf, type Raster } from "./raster.ts";
import { tileDecoder } from "./tile-decoder.ts";
import { toSrgb } from "./to-srgb.ts";

/** Whose tiles are wanted, and how. */
export interface TileRequest {
  /** The file. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly item: number;
  /** What they are decoded to. */
  readonly as: Raster["kind"];
  /** The colour to convert pixels from; absent when values stay as they are. */
  readonly convertFrom: Colour | undefined;
}

/** A worker beside this one that decodes tiles. */
export type TileHelper = Helper<TilePlace, Raster>;

/**
 * Decodes tiles for another worker. Here failures are only noted: the other worker will see them for itself, and say
 * why.
 */
export async function helpWithTiles(request: TileRequest, port: MessagePort): Promise<void> {
  const { bytes, item, as } = request;
  const change = toSrgb(request.convertFrom);
  try {
    await withLibheif(bytes, (heif) =>
      serveTasks<TilePlace, Raster | undefined>(port, tileDecoder(heif, item, as, change), (tile) =>
        tile ? buffersOf(tile) : [],
      ),
    );
  } finally {
    port.close();
  }
}
