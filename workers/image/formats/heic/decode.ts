import { ServiceError } from "../../../../src/shared/errors.ts";
import { bytesOf } from "../../../io/file-bytes.ts";
import { helperPool } from "../../../parallel/helper-pool.ts";
import type { Color } from "../../color/color.ts";
import { planColor } from "../../color/color-description.ts";
import { toSrgb } from "../../color/to-srgb.ts";
import { damagedHeif } from "../../isobmff/cursor.ts";
import type { HeifImage } from "../../isobmff/images.ts";
import { orientationBy } from "../../isobmff/transforms.ts";
import { readGridLayout } from "./grid.ts";
import { pieceDecoder } from "./hevc-image-decoder.ts";
import { withLibheif } from "./libheif.ts";
import type { PixelRaster, Raster } from "./raster.ts";
import { type CodedTiles, type TileRequest, withTiles } from "./tile-decoder.ts";
import type { TileHelper } from "./tile-helper.ts";
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
  const decode = async (as: Raster["layout"]) => {
    const { item } = image;
    if (item === undefined || !isOfTiles(image)) {
      const own = await decodePiece(bytes, image, as, convertFrom);
      return own ?? decodeWhole(bytes, image, as, convertFrom);
    }
    const coded = await codedTiles(file, image, as);
    return decodeByTiles(image, { bytes, item, as, convertFrom, coded }, isWorthHelp(image) ? helpers : 0);
  };
  const inPlanes = planes && mayBeInPlanes(image, convertFrom) ? await decode("yuv420") : undefined;
  const raster = inPlanes ?? (await decode("rgba"));
  if (raster === undefined) throw damagedHeif("a picture of it cannot be decoded");
  return raster;
}

/** Whether planes can hold the picture as shown. Rotating odd sides would move the chroma of half a pair of pixels. */
function mayBeInPlanes(
  { item, hasAlpha, transforms, stored }: HeifImage,
  convertFrom: Color | undefined,
): boolean {
  const isWhole = item !== undefined && !hasAlpha;
  const isEven = stored.width % 2 === 0 && stored.height % 2 === 0;
  const isConverted = typeof planColor(convertFrom) === "object";
  return isWhole && !isConverted && transforms.every(({ kind }) => isEven && kind !== "crop");
}

/** Decodes a picture of one piece by our own decoder. Returns `undefined` when only libheif can decode it. */
async function decodePiece(
  bytes: Uint8Array<ArrayBuffer>,
  image: HeifImage,
  as: Raster["layout"],
  convertFrom: Color | undefined,
): Promise<Raster | undefined> {
  const { coding, transforms } = image;
  const [piece] = coding?.pieces ?? [];
  if (!coding || coding.grid || !piece || !isPlainlyCoded(image, as)) return undefined;
  const decoder = await pieceDecoder(bytes, coding);
  const raster = decoder?.decode(piece, orientationBy(transforms), as);
  if (raster?.layout !== "rgba") return raster;
  const shown = crop(raster, image);
  toSrgb(convertFrom)(shown.pixels);
  return shown;
}

/** Returns how tiles are coded, if our own decoder may be able to decode them. */
async function codedTiles(
  file: Blob,
  image: HeifImage,
  as: Raster["layout"],
): Promise<CodedTiles | undefined> {
  const { coding, stored, transforms } = image;
  if (!coding?.grid || !isPlainlyCoded(image, as)) return undefined;
  try {
    const layout = await readGridLayout(file, coding.grid);
    const isConsistent = layout.width === stored.width && layout.height === stored.height;
    return isConsistent ? { coding, layout, orientation: orientationBy(transforms) } : undefined;
  } catch (thrown) {
    // libheif decodes the file next and reports the damage.
    if (thrown instanceof ServiceError) return undefined;
    throw thrown;
  }
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

/**
 * Decodes a picture by libheif.
 *
 * @returns `undefined` when planes are requested and the picture is not coded in planes
 */
async function decodeWhole(
  bytes: Uint8Array<ArrayBuffer>,
  image: HeifImage,
  as: Raster["layout"],
  convertFrom: Color | undefined,
): Promise<Raster | undefined> {
  const { item, shown } = image;
  if (as === "yuv420") {
    const raster =
      item === undefined ? undefined : await withLibheif(bytes, (heif) => heif.decodePlanes(item));
    return raster?.width === shown.width && raster.height === shown.height ? raster : undefined;
  }
  const whole = await withLibheif(bytes, (heif) =>
    item === undefined ? heif.decodeCover() : heif.decode(item),
  );
  const raster = crop(whole, image);
  toSrgb(convertFrom)(raster.pixels);
  return raster;
}

/**
 * Whether Stayput assembles the tiles of a picture. libheif 1.23 can assemble them, but leaves out tiles that it cannot
 * decode. Alpha is in another picture, whose tiles may differ.
 */
function isOfTiles({ isGrid, hasAlpha, transforms }: HeifImage): boolean {
  return isGrid && !hasAlpha && !transforms.some(({ kind }) => kind === "crop");
}

/** Whether helpers make decoding faster. A photo of a phone has 48 tiles or more. */
function isWorthHelp({ stored }: HeifImage): boolean {
  return stored.width * stored.height >= WORTH_HELP_PIXELS;
}

/**
 * Decodes a picture by tiles.
 *
 * @returns `undefined` when planes are requested and the picture is not coded in planes
 */
async function decodeByTiles(
  { shown }: HeifImage,
  request: TileRequest,
  helpers: number,
): Promise<Raster | undefined> {
  const { as } = request;
  // The helpers start while this worker opens the file.
  const leased: readonly TileHelper[] = helperPool.lease({ count: helpers, kind: "heic/tiles", request });
  try {
    return await withTiles(request, (tiles) => decodeTiles({ ...tiles, shown, as, helpers: leased }));
  } finally {
    for (const helper of leased) helper.release();
  }
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
