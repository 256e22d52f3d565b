import type { Color } from "../../color/color.ts";
import { type PixelChange, toSrgb } from "../../color/to-srgb.ts";
import type { PictureCoding } from "../../isobmff/coding.ts";
import type { Orientation } from "../../metadata/exif.ts";
import { type GridLayout, shownGrid } from "./grid.ts";
import { pieceDecoder } from "./hevc-image-decoder.ts";
import { type OpenHeifFile, withLibheif } from "./libheif.ts";
import type { Raster } from "./raster.ts";
import type { TilePlace, Tiling } from "./tiling.ts";

/** Decodes a tile. Returns `undefined` when planes are requested and it is not coded in planes. */
export type TileDecoder = (place: TilePlace) => Raster | undefined | Promise<Raster | undefined>;

/** The tiles of a picture as it is shown. */
interface Tiles {
  readonly tiling: Tiling;
  readonly decode: TileDecoder;
}

/** The tiles to decode, and how. */
export interface TileRequest {
  /** The file. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly item: number;
  /** The layout that they are decoded to. */
  readonly as: Raster["layout"];
  /** The color space that is converted to sRGB. Absent when values stay as they are. */
  readonly convertFrom: Color | undefined;
  /** Present when our own decoder may decode them. */
  readonly coded: CodedTiles | undefined;
}

/** How tiles are coded, arranged and rotated. */
export interface CodedTiles {
  readonly coding: PictureCoding;
  readonly layout: GridLayout;
  readonly orientation: Orientation;
}

/**
 * Provides a decoder for the tiles of a picture: our own decoder, or libheif for pictures that it does not support.
 *
 * @throws {ServiceError} what `use` throws, or `damaged_file`, `unsupported_input`, `out_of_memory`
 */
export async function withTiles<Result>(
  request: TileRequest,
  use: (tiles: Tiles) => Promise<Result>,
): Promise<Result> {
  const { bytes, item, as, coded } = request;
  const change = toSrgb(request.convertFrom);
  const own = coded && (await ownTiles(request, coded, change));
  if (own) return use(own);
  return withLibheif(bytes, (heif) =>
    use({ tiling: heif.tiling(item), decode: tileDecoder(heif, item, as, change) }),
  );
}

async function ownTiles(
  { bytes, item, as }: TileRequest,
  { coding, layout, orientation }: CodedTiles,
  change: PixelChange,
): Promise<Tiles | undefined> {
  const [first] = coding.pieces;
  const grid = first && shownGrid(layout, first, orientation);
  const decoder = grid && (await pieceDecoder(bytes, coding));
  if (!grid || !decoder) return undefined;
  return {
    tiling: grid.tiling,
    decode(place) {
      const piece = coding.pieces[grid.tileAt(place)];
      const tile = piece && decoder.decode(piece, orientation, as);
      // libheif decodes the tile, or reports the damage.
      if (!tile) return withLibheif(bytes, async (heif) => tileDecoder(heif, item, as, change)(place));
      if (tile.layout === "rgba") change(tile.pixels);
      return tile;
    },
  };
}

/**
 * Returns a decoder for the tiles of an item by libheif.
 *
 * @param change applied to pixels
 */
export function tileDecoder(
  heif: Pick<OpenHeifFile, "decodeTile" | "decodeTilePlanes">,
  item: number,
  as: Raster["layout"],
  change: PixelChange,
): (place: TilePlace) => Raster | undefined {
  if (as === "yuv420") return (place) => heif.decodeTilePlanes(item, place);
  return (place) => {
    const tile = heif.decodeTile(item, place);
    change(tile.pixels);
    return tile;
  };
}
