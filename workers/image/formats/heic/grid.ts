import { Cursor, damagedHeif } from "../../isobmff/cursor.ts";
import { contentOfItem } from "../../isobmff/read.ts";
import type { Orientation } from "../../metadata/exif.ts";
import type { Size } from "../../picture/size.ts";
import { turnBy } from "../../picture/upright.ts";
import type { GridDescription } from "./coding.ts";

/** The size of a grid as stored, and its tiles. */
export interface GridLayout extends Size {
  readonly columns: number;
  readonly rows: number;
}

/** The longest description that is read, in bytes. A valid one has 8 or 12. */
const LONGEST_DESCRIPTION = 2 ** 20;

/**
 * Reads the layout of a grid (ISO/IEC 23008-12, 6.6.2.3).
 *
 * @param tiles the number of its tiles
 * @throws {ServiceError} `damaged_file`
 */
export async function readGridLayout(
  file: Blob,
  { location, itemData }: GridDescription,
  tiles: number,
): Promise<GridLayout> {
  const cursor = new Cursor(await contentOfItem(file, location, itemData, LONGEST_DESCRIPTION), 0);
  cursor.skip(1);
  const isLarge = (cursor.u8() & 1) === 1;
  const side = () => (isLarge ? cursor.u32() : cursor.u16());
  const rows = cursor.u8() + 1;
  const columns = cursor.u8() + 1;
  if (rows * columns !== tiles) throw damagedHeif("its tiles do not fill its picture");
  return { width: side(), height: side(), columns, rows };
}

/** Whether tiles of that size fill a grid, and each of them is at least partly in the picture. */
export function fillsGrid({ width, height, columns, rows }: GridLayout, tile: Size): boolean {
  const [right, bottom] = [columns * tile.width - width, rows * tile.height - height];
  return right >= 0 && bottom >= 0 && right < tile.width && bottom < tile.height;
}

/**
 * Returns the place of a tile in the picture as shown, rotated and mirrored. Parts of a tile may be outside the picture.
 *
 * @param index the number of the tile in file order
 */
export function tilePlace(
  index: number,
  { width, height, columns }: GridLayout,
  tile: Size,
  orientation: Orientation,
): { readonly left: number; readonly top: number } {
  const { isTurned, isFromRight, isFromBottom } = turnBy(orientation);
  const right = (index % columns) * tile.width;
  const down = Math.floor(index / columns) * tile.height;
  const [left, top] = isTurned ? [down, right] : [right, down];
  return {
    left: isFromRight ? (isTurned ? height - tile.height : width - tile.width) - left : left,
    top: isFromBottom ? (isTurned ? width - tile.width : height - tile.height) - top : top,
  };
}
