import { mapOrdered } from "../../../parallel/map-tasks.ts";
import { TaskQueue } from "../../../parallel/task-queue.ts";
import type { Size } from "../../picture/size.ts";
import { emptyRaster, paste, type Raster } from "./raster.ts";
import type { TileHelper, Tiles } from "./tile-helper.ts";

const NOT_DECODED = new Error("our decoder cannot decode a tile");

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
  const decodeHere = (index: number) => {
    const tile = decode(index);
    if (tile === undefined) throw NOT_DECODED;
    return tile;
  };
  const queue = new TaskQueue({ work: decodeHere, helpers });
  try {
    for await (const [index, tile] of mapOrdered(queue, [...Array(count).keys()])) {
      paste(picture, tile, placeOf(index));
    }
  } catch (thrown) {
    if (thrown === NOT_DECODED) return undefined;
    throw thrown;
  } finally {
    await queue.close();
  }
  return picture;
}
