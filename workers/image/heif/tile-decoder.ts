import type { OpenHeif, TilePlace } from "./libheif.ts";
import type { Raster } from "./raster.ts";
import type { PixelChange } from "./to-srgb.ts";

/** Decodes a tile; nothing where it is not coded in planes, and those are wanted. */
export type TileDecoder = (place: TilePlace) => Raster | undefined;

/**
 * What decodes the tiles of an item.
 *
 * @param as to pixels, or to planes as they are coded
 * @param change what is done to pixels
 */
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
