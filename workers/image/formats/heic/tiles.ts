import { mapUnordered } from "../../../parallel/map-tasks.ts";
import { TaskQueue } from "../../../parallel/task-queue.ts";
import { damagedHeif } from "../../isobmff/cursor.ts";
import type { Size } from "../../picture/size.ts";
import { emptyRaster, paste, type Raster } from "./raster.ts";
import type { TileDecoder } from "./tile-decoder.ts";
import type { TileHelper } from "./tile-helper.ts";
import type { TilePlace, Tiling } from "./tiling.ts";

const CODED_OTHERWISE = new Error("the picture is not coded in planes");

/** The tiles of a picture, and how they are decoded. */
interface TileWork {
  readonly tiling: Tiling;
  readonly shown: Size;
  readonly as: Raster["layout"];
  readonly decode: TileDecoder;
  /** Released at the end. */
  readonly helpers: readonly TileHelper[];
}

/**
 * Decodes the tiles of a picture in this worker and in helpers, from the top, and puts them together.
 *
 * @returns `undefined` when planes are requested and the picture is not coded in planes
 * @throws {ServiceError} `damaged_file`
 */
export async function decodeTiles(work: TileWork): Promise<Raster | undefined> {
  const { tiling, shown, as, decode, helpers } = work;
  const { columns, rows, tileWidth, tileHeight, hiddenLeft, hiddenTop } = tiling;
  if (columns * tileWidth < shown.width || rows * tileHeight < shown.height) {
    throw damagedHeif("its tiles do not fill its picture");
  }
  // A file may state a larger size than its grid has. The rest is transparent.
  const isFilled =
    columns * tileWidth - hiddenLeft >= shown.width && rows * tileHeight - hiddenTop >= shown.height;
  const isEven = [tileWidth, tileHeight, hiddenLeft, hiddenTop].every((side) => side % 2 === 0);
  if (as === "yuv420" && !(isFilled && isEven)) return undefined;
  const picture = emptyRaster(as, shown);
  let hasBegun = false;
  const take = ({ column, row }: TilePlace, tile: Raster) => {
    paste(picture, tile, column * tileWidth - hiddenLeft, row * tileHeight - hiddenTop);
    hasBegun = true;
  };

  const decodeHere = async (place: TilePlace) => {
    const tile = await decode(place);
    if (tile === undefined)
      throw hasBegun ? damagedHeif("its tiles are coded in several ways") : CODED_OTHERWISE;
    return tile;
  };
  const queue = new TaskQueue({ work: decodeHere, helpers });
  try {
    await mapUnordered(queue, allPlaces(tiling), take);
  } catch (thrown) {
    if (thrown === CODED_OTHERWISE) return undefined;
    throw thrown;
  } finally {
    await queue.close();
  }
  return picture;
}

function allPlaces({ columns, rows }: Tiling): TilePlace[] {
  return Array.from({ length: columns * rows }, (_, index) => ({
    column: index % columns,
    row: Math.floor(index / columns),
  }));
}
