// No browser writes HEIC. So a coded picture is part of the site, and the tab makes files of it.
import { gridOfImages } from "../../../test/support/fixtures/heic-grid.ts";
import { HEVC_TILE } from "../../../test/support/fixtures/image/hevc-tile.ts";

const TILE = { width: 512, height: 512 };

/** Returns a HEIC of tiles, as photos of phones are. Each tile shows the same hills. */
export function heicPhoto(columns: number, rows: number): File {
  const grid = { columns, tile: TILE, repeats: columns * rows };
  const size = { width: columns * TILE.width, height: rows * TILE.height };
  return new File([gridOfImages(HEVC_TILE, grid, size)], "photo.heic", { type: "image/heic" });
}
