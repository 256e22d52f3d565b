import type { Orientation } from "../../metadata/exif.ts";
import type { Size } from "../../picture/size.ts";
import type { Layout } from "./compose.ts";
import type { TilePlace, Tiling } from "./libheif.ts";

/** How a grid's tiles stand as it is shown. */
export interface ShownGrid {
  readonly tiling: Tiling;
  /** Which tile is at a place, in the order of the file. */
  tileAt(place: TilePlace): number;
}

/**
 * How the tiles of a grid stand when it is turned.
 *
 * @param columns as stored
 * @returns nothing where its tiles do not fill it, or some would not be seen
 */
export function shownGrid(
  { width, height, parts, columns = 1 }: Layout,
  tile: Size,
  orientation: Orientation,
): ShownGrid | undefined {
  const rows = parts.length / columns;
  const over = { right: columns * tile.width - width, bottom: rows * tile.height - height };
  if (over.right < 0 || over.bottom < 0 || over.right >= tile.width || over.bottom >= tile.height) {
    return undefined;
  }
  const isTurned = orientation >= 5;
  const isFromRight = [2, 3, 6, 7].includes(orientation);
  const isFromBottom = [3, 4, 7, 8].includes(orientation);
  // What stands over at the right and below comes to the other end where the picture begins there.
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
