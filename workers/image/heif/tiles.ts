import { turns } from "../../crew.ts";
import { damagedHeif } from "./cursor.ts";
import type { HeifImage } from "./images.ts";
import type { OpenHeif, TilePlace, Tiling } from "./libheif.ts";
import { emptyRaster, paste, type Raster } from "./raster.ts";
import type { TileHelper } from "./tile-helper.ts";
import type { PixelChange } from "./to-srgb.ts";

/**
 * A helper is asked for two tiles at a time, so that it need not wait for its next; near the end, for one, so that
 * nobody need wait for it. How many tiles must be left for the first and for the second.
 */
const FEWEST_LEFT = [1, 4];

/** Decodes a tile; nothing where it is not coded in planes, and those are wanted. */
export type TileDecoder = (place: TilePlace) => Raster | undefined;

/** @param change what is done to pixels */
export function tileDecoder(
  heif: OpenHeif,
  item: number,
  as: Raster["kind"],
  change: PixelChange,
): TileDecoder {
  if (as === "planes") return (place) => heif.decodeTilePlanes(item, place);
  return (place) => {
    const tile = heif.decodeTile(item, place);
    change(tile.pixels);
    return tile;
  };
}

/**
 * Decodes the tiles of a picture, here and in other workers, and puts them together. Everybody takes the next tile
 * when done with one, so a helper that starts late, or never, costs nothing.
 *
 * @returns nothing where the picture is not coded in planes, and those are wanted
 * @throws {ServiceError} `damaged_file`
 */
export async function decodeTiles(
  tiling: Tiling,
  decode: TileDecoder,
  as: Raster["kind"],
  { shown: { width, height } }: HeifImage,
  helpers: readonly TileHelper[],
): Promise<Raster | undefined> {
  const { columns, rows, tileWidth, tileHeight, hiddenLeft, hiddenTop } = tiling;
  if (columns * tileWidth < width || rows * tileHeight < height) {
    throw damagedHeif("its tiles do not fill its picture");
  }
  if (as === "planes" && [tileWidth, tileHeight, hiddenLeft, hiddenTop].some((side) => side % 2 !== 0)) {
    return undefined;
  }
  const picture = emptyRaster(as, { width, height });
  const places = allPlaces(tiling);
  let undone = places.length;
  const take = ({ column, row }: TilePlace, tile: Raster) => {
    undone--;
    paste(picture, tile, column * tileWidth - hiddenLeft, row * tileHeight - hiddenTop);
  };

  const takeTurns = async (helper: TileHelper, fewest: number) => {
    while (places.length >= fewest) {
      const place = places.pop();
      const tile = place && (await helper.ask(place));
      if (place && tile) take(place, tile);
      else {
        if (place) places.push(place);
        return;
      }
    }
  };
  const helping = helpers.flatMap((helper) => FEWEST_LEFT.map((fewest) => takeTurns(helper, fewest)));
  const nextTurn = turns();
  /** Whether all could be. */
  const decodeHere = async () => {
    for (let place = places.shift(); place !== undefined; place = places.shift()) {
      const tile = decode(place);
      if (tile === undefined) return false;
      take(place, tile);
      await nextTurn();
    }
    return true;
  };

  try {
    if (!(await decodeHere())) return undefined;
    for (const helper of helpers) if (!helper.hasProvedItself) helper.release();
    await Promise.all(helping);
    // What a helper could not do.
    if (!(await decodeHere())) return undefined;
  } finally {
    places.length = 0;
  }
  if (undone > 0) throw damagedHeif("a tile of it is missing");
  return picture;
}

function allPlaces({ columns, rows }: Tiling): TilePlace[] {
  return Array.from({ length: columns * rows }, (_, index) => ({
    column: index % columns,
    row: Math.floor(index / columns),
  }));
}
