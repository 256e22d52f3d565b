/** The tiles of a picture as it is shown, rotated and mirrored. */
export interface Tiling {
  readonly columns: number;
  readonly rows: number;
  readonly tileWidth: number;
  readonly tileHeight: number;
  /** The columns and rows of the first tiles that are outside the picture. */
  readonly hiddenLeft: number;
  readonly hiddenTop: number;
}

/** The place of a tile as shown, from the top left. */
export interface TilePlace {
  readonly column: number;
  readonly row: number;
}
