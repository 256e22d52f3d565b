import { turns } from "../../crew.ts";
import { damagedHeif } from "./cursor.ts";
import type { HeifImage } from "./images.ts";
import type { OpenHeif, Raster, TilePlace, Tiling } from "./libheif.ts";
import type { TileHelper } from "./tile-helper.ts";
import type { PixelChange } from "./to-srgb.ts";

/**
 * A helper is asked for two tiles at a time, so that it need not wait for its next; near the end, for one, so that
 * nobody need wait for it. How many tiles must be left for the first and for the second.
 */
const FEWEST_LEFT = [1, 4];

/**
 * Decodes the tiles of a picture, here and in other workers, and puts them together. Everybody takes the next tile
 * when done with one, so a helper that starts late, or never, costs nothing.
 *
 * @throws {ServiceError} `damaged_file`
 */
export async function decodeTiles(
  heif: OpenHeif,
  item: number,
  { shown: { width, height } }: HeifImage,
  helpers: readonly TileHelper[],
  change: PixelChange,
): Promise<Raster> {
  const tiling = heif.tiling(item);
  if (tiling.columns * tiling.tileWidth < width || tiling.rows * tiling.tileHeight < height) {
    throw damagedHeif("its tiles do not fill its picture");
  }
  const picture = { width, height, pixels: new Uint8ClampedArray(width * height * 4) };
  const places = allPlaces(tiling);
  let undone = places.length;
  const paste = (place: TilePlace, tile: Raster) => {
    undone--;
    pasteTile(picture, tiling, place, tile);
  };

  const takeTurns = async (helper: TileHelper, fewest: number) => {
    while (places.length >= fewest) {
      const place = places.pop();
      const tile = place && (await helper.ask(place));
      if (place && tile) paste(place, tile);
      else {
        if (place) places.push(place);
        return;
      }
    }
  };
  const helping = helpers.flatMap((helper) => FEWEST_LEFT.map((fewest) => takeTurns(helper, fewest)));
  const nextTurn = turns();
  const decodeHere = async () => {
    for (let place = places.shift(); place !== undefined; place = places.shift()) {
      const tile = heif.decodeTile(item, place);
      change(tile.pixels);
      paste(place, tile);
      await nextTurn();
    }
  };

  try {
    await decodeHere();
    for (const helper of helpers) if (!helper.hasProvedItself) helper.release();
    await Promise.all(helping);
    // What a helper could not do.
    await decodeHere();
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

function pasteTile(
  picture: Raster,
  { tileWidth, tileHeight, hiddenLeft, hiddenTop }: Tiling,
  { column, row }: TilePlace,
  tile: Raster,
): void {
  const left = column * tileWidth - hiddenLeft;
  const top = row * tileHeight - hiddenTop;
  const skipped = Math.max(0, -left);
  const width = Math.min(tile.width, picture.width - left) - skipped;
  if (width <= 0) return;
  for (let y = Math.max(0, -top); y < tile.height && top + y < picture.height; y++) {
    const from = (y * tile.width + skipped) * 4;
    const to = ((top + y) * picture.width + left + skipped) * 4;
    picture.pixels.set(tile.pixels.subarray(from, from + width * 4), to);
  }
}
