import type { Color } from "../../color/color.ts";
import { type PixelChange, toSrgb } from "../../color/to-srgb.ts";
import type { PictureCoding } from "../../isobmff/coding.ts";
import type { Orientation } from "../../metadata/exif.ts";
import { type GridLayout, shownGrid } from "./grid.ts";
import { pieceDecoder } from "./hevc-image-decoder.ts";
import { type OpenHeif, type TilePlace, type Tiling, withLibheif } from "./libheif.ts";
import type { Raster } from "./raster.ts";

/** Decodes a tile; nothing where it is not coded in planes, and those are wanted. */
export type TileDecoder = (place: TilePlace) => Raster | undefined | Promise<Raster | undefined>;

/** The tiles of a picture, as it is shown. */
export interface Tiles {
  readonly tiling: Tiling;
  readonly decode: TileDecoder;
}

/** Whose tiles are wanted, and how. */
export interface TileRequest {
  /** The file. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly item: number;
  /** What they are decoded to. */
  readonly as: Raster["layout"];
  /** The color to convert pixels from; absent when values stay as they are. */
  readonly convertFrom: Color | undefined;
  /** Where they may be decoded without libheif. */
  readonly coded: CodedTiles | undefined;
}

/** How tiles are coded, put together and turned. */
export interface CodedTiles {
  readonly coding: PictureCoding;
  readonly layout: GridLayout;
  readonly orientation: Orientation;
}

/**
 * Lends what decodes the tiles of a picture: our own decoder, and libheif for what that does not know.
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
      // libheif says what is wrong with it, or takes it as it is.
      if (!tile) return withLibheif(bytes, async (heif) => tileDecoder(heif, item, as, change)(place));
      if (tile.layout === "rgba") change(tile.pixels);
      return tile;
    },
  };
}

/**
 * What decodes the tiles of an item by libheif.
 *
 * @param as to pixels, or to planes as they are coded
 * @param change what is done to pixels
 */
export function tileDecoder(
  heif: OpenHeif,
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
