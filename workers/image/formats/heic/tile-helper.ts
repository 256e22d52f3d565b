import type { Helper } from "../../../parallel/helper.ts";
import { taskServer } from "../../../parallel/task-server.ts";
import type { Color } from "../../color/color.ts";
import { toSrgb } from "../../color/to-srgb.ts";
import type { PictureCoding } from "../../isobmff/coding.ts";
import type { Orientation } from "../../metadata/exif.ts";
import { type GridLayout, shownGrid, type TilePlace, type Tiling } from "./grid.ts";
import { pieceDecoder } from "./hevc-image-decoder.ts";
import { buffersOf, type Raster } from "./raster.ts";

/** The tiles of a picture as it is shown. */
export interface Tiles {
  readonly tiling: Tiling;
  /** Decodes a tile. Returns `undefined` when our decoder cannot decode it. */
  decode(place: TilePlace): Raster | undefined;
}

/** A picture of tiles, and how they are decoded. */
export interface TileRequest {
  /** The file. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly coding: PictureCoding;
  readonly layout: GridLayout;
  readonly orientation: Orientation;
  /** The layout that they are decoded to. */
  readonly as: Raster["layout"];
  /** The color space that is converted to sRGB. Absent when values stay as they are. */
  readonly convertFrom: Color | undefined;
}

/** A worker that decodes tiles for this worker. */
export type TileHelper = Helper<TilePlace, Raster>;

/** Opens the tiles of a picture. Returns `undefined` when our decoder does not support them. */
export async function openTiles(request: TileRequest): Promise<Tiles | undefined> {
  const { bytes, coding, layout, orientation, as, convertFrom } = request;
  const [first] = coding.pieces;
  const grid = first && shownGrid(layout, first, orientation);
  const decoder = grid && (await pieceDecoder(bytes, coding));
  if (!grid || !decoder) return undefined;
  const change = toSrgb(convertFrom);
  return {
    tiling: grid.tiling,
    decode(place) {
      const piece = coding.pieces[grid.tileAt(place)];
      const tile = piece && decoder.decode(piece, orientation, as);
      if (tile?.layout === "rgba") change(tile.pixels);
      return tile;
    },
  };
}

/** Decodes tiles for another worker. That worker decodes a tile that fails here again. */
export async function serveTiles(request: TileRequest, port: MessagePort): Promise<void> {
  try {
    const tiles = await openTiles(request);
    if (tiles === undefined) return;
    await taskServer<TilePlace, Raster | undefined>(port, tiles.decode, (tile) =>
      tile ? buffersOf(tile) : [],
    );
  } finally {
    port.close();
  }
}
