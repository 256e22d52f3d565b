import { type Helper, serveTasks } from "../../../parallel/helper-pool.ts";
import type { TilePlace } from "./libheif.ts";
import { buffersOf, type Raster } from "./raster.ts";
import { type TileRequest, withTiles } from "./tile-decoder.ts";

/** A worker beside this one that decodes tiles. */
export type TileHelper = Helper<TilePlace, Raster>;

/**
 * Decodes tiles for another worker. Here failures are only noted: the other worker will see them for itself, and say
 * why.
 */
export async function helpWithTiles(request: TileRequest, port: MessagePort): Promise<void> {
  try {
    await withTiles(request, ({ decode }) =>
      serveTasks<TilePlace, Raster | undefined>(port, decode, (tile) => (tile ? buffersOf(tile) : [])),
    );
  } finally {
    port.close();
  }
}
