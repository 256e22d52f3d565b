import { ServiceError } from "../../../../src/shared/errors.ts";
import { bytesOf } from "../../../io/file-bytes.ts";
import { helperPool } from "../../../parallel/helper-pool.ts";
import { supportsSimd } from "../../../wasm/simd-support.ts";
import { damagedHeif } from "../../isobmff/cursor.ts";
import { orientationBy } from "../../isobmff/transforms.ts";
import { pixelsOf } from "../../picture/convert-layout.ts";
import type { PixelPicture, PlanePicture } from "../../picture/picture.ts";
import type { GridDescription } from "./coding.ts";
import { decodeTile, type TileRequest } from "./decode-tile.ts";
import { fillsGrid, type GridLayout, readGridLayout, tilePlace } from "./grid.ts";
import type { HeifImage } from "./images.ts";
import { decodeWithLibheif } from "./libheif.ts";
import { decodeTiles, type TileHelper } from "./tiles.ts";

/** A smaller picture is decoded before a helper has started. */
const WORTH_HELP_PIXELS = 4_000_000;

/**
 * Decodes a picture of a HEIF file, upright, with the colors of the file. Our own HEVC decoder reads what phones and
 * cameras write, libheif the rest.
 *
 * @param helpers the number of other workers that may help to decode tiles
 * @throws {ServiceError} `damaged_file`, `unsupported_input`, `out_of_memory`
 */
export async function decodeHeic(
  file: Blob,
  image: HeifImage,
  helpers: number,
): Promise<PlanePicture | PixelPicture> {
  const picture =
    (await decodeHere(file, image, helpers)) ?? (await decodeWithLibheif(await bytesOf(file), image));
  return crop(picture, image);
}

/** Decodes a picture with our own decoder. Returns `undefined` when only libheif can decode it. */
async function decodeHere(
  file: Blob,
  { coding, hasAlpha, transforms, stored, shown }: HeifImage,
  helpers: number,
): Promise<PlanePicture | undefined> {
  if (coding === undefined || hasAlpha || !supportsSimd()) return undefined;
  const orientation = orientationBy(transforms);
  // Planes with odd sides cannot be rotated.
  const isEven = stored.width % 2 === 0 && stored.height % 2 === 0;
  if (!isEven && orientation !== 1) return undefined;
  const { tiles, color } = coding;
  const request: TileRequest = { file, tiles, color, orientation };
  if (coding.grid === undefined) return decodeTile(request, 0);
  const [tile] = tiles;
  const layout = await gridLayoutOf(file, coding.grid, tiles.length);
  if (!tile || layout?.width !== stored.width || layout.height !== stored.height) return undefined;
  if (!fillsGrid(layout, tile)) return undefined;
  const isWorthHelp = stored.width * stored.height >= WORTH_HELP_PIXELS;
  const leased: readonly TileHelper[] = helperPool.lease({
    count: isWorthHelp ? helpers : 0,
    kind: "heic/tiles",
    request,
  });
  return decodeTiles({
    count: tiles.length,
    shown: shown.whole,
    placeOf: (index) => tilePlace(index, layout, tile, orientation),
    decode: (index) => decodeTile(request, index),
    helpers: leased,
  });
}

async function gridLayoutOf(
  file: Blob,
  grid: GridDescription,
  tiles: number,
): Promise<GridLayout | undefined> {
  try {
    return await readGridLayout(file, grid, tiles);
  } catch (thrown) {
    // libheif decodes the file next and reports the damage.
    if (thrown instanceof ServiceError) return undefined;
    throw thrown;
  }
}

/** Crops a picture that its decoder did not crop. */
function crop(picture: PlanePicture | PixelPicture, { shown }: HeifImage): PlanePicture | PixelPicture {
  const { width, height } = picture;
  if (width === shown.width && height === shown.height) return picture;
  if (width !== shown.whole.width || height !== shown.whole.height) {
    throw damagedHeif(`a picture has ${width} × ${height} pixels, but the file states another size`);
  }
  const pixels = pixelsOf(picture);
  const cropped = new Uint8ClampedArray(shown.width * shown.height * 4);
  for (let row = 0; row < shown.height; row++) {
    const start = ((shown.top + row) * width + shown.left) * 4;
    cropped.set(pixels.subarray(start, start + shown.width * 4), row * shown.width * 4);
  }
  const { hasAlpha } = picture;
  return { layout: "rgba", width: shown.width, height: shown.height, pixels: cropped, hasAlpha };
}
