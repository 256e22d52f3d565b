import { mapOrdered } from "../../../parallel/map-tasks.ts";
import { TaskQueue } from "../../../parallel/task-queue.ts";
import type { Size } from "../../picture/size.ts";
import { emptyRaster, paste, type Raster } from "./raster.ts";
import type { TileHelper, Tiles } from "./tile-helper.ts";

/** The tiles of a picture, and how they are decoded. */
interface TileWork extends Tiles {
  readonly shown: Size;
  readonly as: Raster["layout"];
  /** Released at the end. */
  readonly helpers: readonly TileHelper[];
}

/**
 * Decodes the tiles of a picture in this worker and in helpers, and puts them together.
 *
 * @returns `undefined` when our decoder cannot decode one of them
 */
export async function decodeTiles(work: TileWork): Promise<Raster | undefined> {
  const { count, placeOf, shown, as, decode, helpers } = work;
  const picture = emptyRaster(as, shown);
  const queue = new TaskQueue({ work: decode, helpers });
  try {
    for await (const [index, tile] of mapOrdered(queue, [...Array(count).keys()])) {
      if (tile === undefined) return undefined;
      paste(picture, tile, placeOf(index));
    }
    return picture;
  } finally {
    await queue.close();
  }
}
