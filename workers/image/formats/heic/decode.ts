import { ServiceError } from "../../../../src/shared/errors.ts";
import { bytesOf } from "../../../io/file-bytes.ts";
import { helperPool } from "../../../parallel/helper-pool.ts";
import type { Color } from "../../color/color.ts";
import { planColor } from "../../color/color-description.ts";
import { toSrgb } from "../../color/to-srgb.ts";
import { damagedHeif } from "../../isobmff/cursor.ts";
import { orientationBy } from "../../isobmff/transforms.ts";
import type { PictureCoding } from "./coding.ts";
import { type GridLayout, readGridLayout } from "./grid.ts";
import type { HeifImage } from "./images.ts";
import { decodeWithLibheif } from "./libheif.ts";
import type { PixelRaster, Raster } from "./raster.ts";
import { openTiles, type TileHelper, type TileRequest } from "./tile-helper.ts";
import { decodeTiles } from "./tiles.ts";

/** How a picture is decoded. */
interface HeifDecodeOptions {
  /** Whether colors become sRGB. Otherwise they stay as in the file. */
  readonly convert: boolean;
  /** The number of other workers that may help to decode tiles. */
  readonly helpers: number;
  /** Whether planes may be returned, when the picture is coded in the color space of JPEG. */
  readonly planes: boolean;
}

/** A smaller picture is decoded before a helper has started. */
const WORTH_HELP_PIXELS = 4_000_000;

/**
 * Decodes a picture of a HEIF file, upright. Our own HEVC decoder reads what phones and cameras write, libheif the
 * rest.
 *
 * @throws {ServiceError} `damaged_file`, `unsupported_input`, `out_of_memory`
 */
export async function decodeImage(
  file: Blob,
  image: HeifImage,
  { convert, helpers, planes }: HeifDecodeOptions,
): Promise<Raster> {
  const convertFrom = convert ? image.color : undefined;
  const bytes = await bytesOf(file);
  const as = planes && mayBeInPlanes(image, convertFrom) ? "yuv420" : "rgba";
  const raster = await decodeHere(file, image, { bytes, as, convertFrom }, helpers);
  return raster ?? decodeByLibheif(bytes, image, convertFrom);
}

/** Whether planes can hold the picture as shown. */
function mayBeInPlanes({ transforms }: HeifImage, convertFrom: Color | undefined): boolean {
  const isConverted = typeof planColor(convertFrom) === "object";
  return !isConverted && transforms.every(({ kind }) => kind !== "crop");
}

/** The primaries of sRGB, and the number for unspecified primaries. libheif converts neither (ITU-T H.273, table 2). */
const PLAIN_PRIMARIES = [1, 2];

/**
 * Whether the decoded values of the pieces are those of the picture. libheif converts pixels of other primaries, and
 * rotates pictures with odd sides, because planes cannot be rotated then.
 */
function isPlainlyCoded({ coding, hasAlpha, transforms, stored }: HeifImage, as: Raster["layout"]): boolean {
  const isEven = stored.width % 2 === 0 && stored.height % 2 === 0;
  const isTurnable = isEven || transforms.length === 0;
  const isPlain = coding?.color === undefined || PLAIN_PRIMARIES.includes(coding.color.primaries);
  return !hasAlpha && isTurnable && (as === "yuv420" || isPlain);
}

/** Decodes a picture with our own decoder. Returns `undefined` when only libheif can decode it. */
async function decodeHere(
  file: Blob,
  image: HeifImage,
  { bytes, as, convertFrom }: Pick<TileRequest, "bytes" | "as" | "convertFrom">,
  helpers: number,
): Promise<Raster | undefined> {
  const { coding, stored, shown, transforms } = image;
  if (coding === undefined || !isPlainlyCoded(image, as)) return undefined;
  const layout = coding.grid ? await gridLayoutOf(file, coding) : { ...stored, columns: 1, rows: 1 };
  if (layout?.width !== stored.width || layout.height !== stored.height) return undefined;
  const request: TileRequest = {
    ...{ bytes, coding, layout, as, convertFrom },
    orientation: orientationBy(transforms),
  };
  const isWorthHelp = coding.pieces.length > 1 && stored.width * stored.height >= WORTH_HELP_PIXELS;
  // The helpers start while this worker opens the tiles.
  const leased: readonly TileHelper[] = helperPool.lease({
    count: isWorthHelp ? helpers : 0,
    kind: "heic/tiles",
    request,
  });
  try {
    const tiles = await openTiles(request);
    const raster = tiles && (await decodeTiles({ ...tiles, shown: shown.whole, as, helpers: leased }));
    return raster?.layout === "rgba" ? crop(raster, image) : raster;
  } finally {
    for (const helper of leased) helper.release();
  }
}

async function gridLayoutOf(file: Blob, { grid, pieces }: PictureCoding): Promise<GridLayout | undefined> {
  try {
    return grid && (await readGridLayout(file, grid, pieces.length));
  } catch (thrown) {
    // libheif decodes the file next and reports the damage.
    if (thrown instanceof ServiceError) return undefined;
    throw thrown;
  }
}

async function decodeByLibheif(
  bytes: Uint8Array<ArrayBuffer>,
  image: HeifImage,
  convertFrom: Color | undefined,
): Promise<Raster> {
  const raster = crop(await decodeWithLibheif(bytes, image.item), image);
  toSrgb(convertFrom)(raster.pixels);
  return raster;
}

function crop(raster: PixelRaster, { shown }: HeifImage): PixelRaster {
  const { width, height, pixels } = raster;
  if (width === shown.width && height === shown.height) return raster;
  if (width !== shown.whole.width || height !== shown.whole.height) {
    throw damagedHeif(`a picture has ${width} × ${height} pixels, but the file states another size`);
  }
  const cropped = new Uint8ClampedArray(shown.width * shown.height * 4);
  for (let row = 0; row < shown.height; row++) {
    const start = ((shown.top + row) * width + shown.left) * 4;
    cropped.set(pixels.subarray(start, start + shown.width * 4), row * shown.width * 4);
  }
  return { layout: "rgba", width: shown.width, height: shown.height, pixels: cropped };
}
