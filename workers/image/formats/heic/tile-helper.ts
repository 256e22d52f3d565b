import type { Helper } from "../../../parallel/helper.ts";
import { taskServer } from "../../../parallel/task-server.ts";
import { buffersOf, type Raster } from "./raster.ts";
import { type TileRequest, withTiles } from "./tile-decoder.ts";
import type { TilePlace } from "./tiling.ts";

/** A worker that decodes tiles for this worker. */
export type TileHelper = Helper<TilePlace, Raster>;

/** Decodes tiles for another worker. That worker decodes a tile that fails here again, and reports its error. */
export async function serveTiles(request: TileRequest, port: MessagePort): Promise<void> {
  try {
    await withTiles(request, ({ decode }) =>
      taskServer<TilePlace, Raster | undefined>(port, decode, (tile) => (tile ? buffersOf(tile) : [])),
    );
  } finally {
    port.close();
  }
}
