import type { Helper } from "../../../parallel/helper.ts";
import { taskServer } from "../../../parallel/task-server.ts";
import type { Color } from "../../color/color.ts";
import { toSrgb } from "../../color/to-srgb.ts";
import type { Orientation } from "../../metadata/exif.ts";
import type { PictureCoding } from "./coding.ts";
import { fillsGrid, type GridLayout, tilePlace } from "./grid.ts";
import { pieceDecoder } from "./hevc-image-decoder.ts";
import { buffersOf, type Raster } from "./raster.ts";

/** The tiles of a picture. They are counted in file order. */
export interface Tiles {
  readonly count: number;
  /** Returns the place of a tile in the picture as shown. */
  placeOf(index: number): { readonly left: number; readonly top: number };
  /** Decodes a tile. Returns `undefined` when our decoder cannot decode it. */
  decode(index: number): Raster | undefined;
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
export type TileHelper = Helper<number, Raster | undefined>;

/** Opens the tiles of a picture. Returns `undefined` when our decoder does not support them. */
export async function openTiles(request: TileRequest): Promise<Tiles | undefined> {
  const { bytes, coding, layout, orientation, as, convertFrom } = request;
  const { pieces } = coding;
  const [first] = pieces;
  if (!first || !fillsGrid(layout, first)) return undefined;
  const decodePiece = await pieceDecoder(bytes, coding, orientation, as);
  if (!decodePiece) return undefined;
  const change = toSrgb(convertFrom);
  return {
    count: pieces.length,
    placeOf: (index) => tilePlace(index, layout, first, orientation),
    decode(index) {
      const piece = pieces[index];
      const tile = piece && decodePiece(piece);
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
    await taskServer<number, Raster | undefined>(port, tiles.decode, (tile) => (tile ? buffersOf(tile) : []));
  } finally {
    port.close();
  }
}
