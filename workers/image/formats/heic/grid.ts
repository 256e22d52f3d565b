import type { GridDescription } from "../../isobmff/coding.ts";
import { Cursor, damagedHeif } from "../../isobmff/cursor.ts";
import { contentOfItem } from "../../isobmff/read.ts";
import type { Orientation } from "../../metadata/exif.ts";
import type { Size } from "../../picture/size.ts";

/** The size of a grid, and its tiles. */
export interface GridLayout extends Size {
  readonly columns: number;
  readonly rows: number;
}

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

/** The tiles of a grid as it is shown. */
interface ShownGrid {
  readonly tiling: Tiling;
  /** Returns which tile is at a place, in file order. */
  tileAt(place: TilePlace): number;
}

/** The longest description that is read, in bytes. A valid one has 8 or 12. */
const LONGEST_DESCRIPTION = 2 ** 20;

/**
 * Reads the layout of a grid (ISO/IEC 23008-12, 6.6.2.3).
 *
 * @throws {ServiceError} `damaged_file`
 */
export async function readGridLayout(
  file: Blob,
  { parts, location, itemData }: GridDescription,
): Promise<GridLayout> {
  const cursor = new Cursor(await contentOfItem(file, location, itemData, LONGEST_DESCRIPTION), 0);
  cursor.skip(1);
  const isLarge = (cursor.u8() & 1) === 1;
  const side = () => (isLarge ? cursor.u32() : cursor.u16());
  const rows = cursor.u8() + 1;
  const columns = cursor.u8() + 1;
  if (rows * columns !== parts.length) throw damagedHeif("its tiles do not fill its picture");
  return { width: side(), height: side(), columns, rows };
}

/**
 * Returns how the tiles of a grid are arranged after rotation.
 *
 * @returns `undefined` when the tiles do not fill the grid, or when a tile would be hidden
 */
export function shownGrid(
  { width, height, columns, rows }: GridLayout,
  tile: Size,
  orientation: Orientation,
): ShownGrid | undefined {
  const over = { right: columns * tile.width - width, bottom: rows * tile.height - height };
  if (over.right < 0 || over.bottom < 0 || over.right >= tile.width || over.bottom >= tile.height) {
    return undefined;
  }
  const isTurned = orientation >= 5;
  const isFromRight = [2, 3, 6, 7].includes(orientation);
  const isFromBottom = [3, 4, 7, 8].includes(orientation);
  // Rotation moves what extends beyond the right or bottom edge to the other side.
  const [overAcross, overDown] = isTurned ? [over.bottom, over.right] : [over.right, over.bottom];
  const tiling: Tiling = {
    columns: isTurned ? rows : columns,
    rows: isTurned ? columns : rows,
    tileWidth: isTurned ? tile.height : tile.width,
    tileHeight: isTurned ? tile.width : tile.height,
    hiddenLeft: isFromRight ? overAcross : 0,
    hiddenTop: isFromBottom ? overDown : 0,
  };
  const tileAt = ({ column, row }: TilePlace) => {
    const across = isFromRight ? tiling.columns - 1 - column : column;
    const down = isFromBottom ? tiling.rows - 1 - row : row;
    return isTurned ? across * columns + down : down * columns + across;
  };
  return { tiling, tileAt };
}
