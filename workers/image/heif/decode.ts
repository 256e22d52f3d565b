import { callHelpers } from "../../crew.ts";
import { bytesOf } from "../file-bytes.ts";
import { checkSize, thisDevice } from "../limits.ts";
import { compose, readLayout, withoutDoubled } from "./compose.ts";
import { damagedHeif } from "./cursor.ts";
import type { HeifImage } from "./images.ts";
import { type Raster, withLibheif } from "./libheif.ts";
import type { Transform } from "./properties.ts";
import type { TileHelper, TileRequest } from "./tile-helper.ts";
import { decodeTiles } from "./tiles.ts";
import { type PixelChange, toSrgb } from "./to-srgb.ts";
import { shownPart } from "./transforms.ts";

/** How a picture is decoded. */
export interface HeifDecodeOptions {
  /** Whether colours become sRGB, or stay as the file has them. */
  readonly convert: boolean;
  /** How many other workers may help with a picture of many tiles. */
  readonly helpers: number;
}

/** Below this, a picture is decoded before a helper has started. */
const WORTH_HELP_PIXELS = 4_000_000;

/**
 * Decodes a picture of a HEIF file by libheif, upright.
 *
 * @throws {ServiceError} `damaged_file`, `unsupported_input`, `out_of_memory`
 */
export async function decodeImage(
  file: Blob,
  image: HeifImage,
  { convert, helpers }: HeifDecodeOptions,
): Promise<Raster> {
  const convertFrom = convert ? image.colour : undefined;
  const change = toSrgb(convertFrom);
  const { item } = image;
  if (item !== undefined && helpers > 0 && isWorthHelp(image)) {
    const request: TileRequest = { file, item, convertFrom };
    return decodeWithHelp(file, item, image, callHelpers(helpers, "helpWithTiles", request), change);
  }
  const bytes = withoutCrops(withoutDoubled(await bytesOf(file), image.doubled), image);
  const layout = image.composition && (await readLayout(file, image.composition, image.stored));
  if (layout) checkSize(layout, thisDevice());
  const whole = await withLibheif(bytes, (heif) => {
    if (layout) return compose(heif, layout);
    return item === undefined ? heif.decodeCover() : heif.decode(item);
  });
  const raster = crop(whole, image);
  change(raster.pixels);
  return raster;
}

/** A photo of a telephone has 48 tiles or more. Alpha lies in another picture, whose tiles may be others. */
function isWorthHelp({ isGrid, hasAlpha, transforms, stored, doubled }: HeifImage): boolean {
  const isLarge = stored.width * stored.height >= WORTH_HELP_PIXELS;
  return (
    isGrid && isLarge && doubled.length === 0 && !hasAlpha && !transforms.some(({ kind }) => kind === "crop")
  );
}

async function decodeWithHelp(
  file: Blob,
  item: number,
  image: HeifImage,
  crew: readonly TileHelper[],
  change: PixelChange,
): Promise<Raster> {
  try {
    return await withLibheif(await bytesOf(file), (heif) => decodeTiles(heif, item, image, crew, change));
  } finally {
    for (const helper of crew) helper.release();
  }
}

/**
 * The file with every crop of a picture made one of all of it. libheif 1.23 measures what a picture may take in
 * memory by what its crop leaves, and so refuses what is cropped much (strukturag/libheif#1856).
 */
function withoutCrops(
  file: Uint8Array<ArrayBuffer>,
  { stored, transforms }: HeifImage,
): Uint8Array<ArrayBuffer> {
  if (!transforms.some(({ kind }) => kind === "crop")) return file;
  const bytes = file.slice();
  const before: Transform[] = [];
  for (const transform of transforms) {
    if (transform.kind !== "crop") {
      before.push(transform);
      continue;
    }
    const { width, height } = shownPart(stored, before);
    const view = new DataView(bytes.buffer, bytes.byteOffset + transform.at, 32);
    [width, 1, height, 1, 0, 1, 0, 1].forEach((value, index) => {
      view.setUint32(index * 4, value);
    });
  }
  return bytes;
}

function crop({ width, height, pixels }: Raster, { shown }: HeifImage): Raster {
  if (width === shown.width && height === shown.height) return { width, height, pixels };
  if (width !== shown.whole.width || height !== shown.whole.height) {
    throw damagedHeif(`a picture of it is ${width} × ${height} pixels, not what it says of itself`);
  }
  const cropped = new Uint8ClampedArray(shown.width * shown.height * 4);
  for (let row = 0; row < shown.height; row++) {
    const start = ((shown.top + row) * width + shown.left) * 4;
    cropped.set(pixels.subarray(start, start + shown.width * 4), row * shown.width * 4);
  }
  return { width: shown.width, height: shown.height, pixels: cropped };
}
