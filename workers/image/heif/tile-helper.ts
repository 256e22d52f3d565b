import { type Helper, serveTasks } from "../../crew.ts";
import { bytesOf } from "../file-bytes.ts";
import { type Raster, type TilePlace, withLibheif } from "./libheif.ts";
import type { Colour } from "./properties.ts";
import { toSrgb } from "./to-srgb.ts";

/** Whose tiles are wanted, and how. */
export interface TileRequest {
  readonly file: Blob;
  readonly item: number;
  /** The colour to convert from; absent when values stay as they are. */
  readonly convertFrom: Colour | undefined;
}

/** A worker beside this one that decodes tiles. */
export type TileHelper = Helper<TilePlace, Raster>;

/**
 * Decodes tiles for another worker. Here failures are only noted: the other worker will see them for itself, and say
 * why.
 */
export async function helpWithTiles(request: TileRequest, port: MessagePort): Promise<void> {
  const change = toSrgb(request.convertFrom);
  try {
    await withLibheif(await bytesOf(request.file), (heif) =>
      serveTasks<TilePlace, Raster>(
        port,
        (place) => {
          const tile = heif.decodeTile(request.item, place);
          change(tile.pixels);
          return tile;
        },
        (tile) => [tile.pixels.buffer],
      ),
    );
  } finally {
    port.close();
  }
}
