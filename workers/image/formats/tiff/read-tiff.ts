import { type Orientation, orientationOf, plausible, type Resolution } from "../../metadata/exif.ts";
import type { Size } from "../../picture/size.ts";
import { type Directory, damagedTiff, TAG, TiffFile } from "./directories.ts";
import { layoutOf, type SampleLayout, unsupportedKindOf } from "./sample-layout.ts";

/** An image of a TIFF, as its directory describes it. The size is as stored. */
export interface TiffImage extends Size, SampleLayout {
  readonly directory: Directory;
  readonly orientation: Orientation;
  readonly resolution: Resolution | undefined;
  /** The size of a tile or of a strip. The edges of the image may cut off the last ones. */
  readonly piece: Size;
  readonly isTiled: boolean;
  /** The name of a kind that is not read. */
  readonly unsupported: string | undefined;
}

/** Bits of NewSubfileType. */
const REDUCED = 1;
const MASK = 4;
const UNIT = { none: 1, inches: 2, centimeters: 3 };
const CENTIMETERS_PER_INCH = 2.54;
/** Tiles of real files have 16 to 1,024 pixels on a side. */
const MOST_TILE_PIXELS = 2 ** 24;

/**
 * Returns the images that a viewer shows, in file order. Leaves out masks and smaller versions of other images. A camera's
 * raw file has a preview in place of an image.
 *
 * @throws {ServiceError} `damaged_file`, `input_too_large` when there are thousands
 */
export function readTiff(bytes: Uint8Array<ArrayBuffer>): readonly TiffImage[] {
  const directories = new TiffFile(bytes).directories();
  const shown = directories.filter((one) => (one.number(TAG.NewSubfileType, 0) & (REDUCED | MASK)) === 0);
  if (shown.length > 0) return shown.map((one) => imageOf(one));
  const isRaw = directories.some((one) => one.number(TAG.SubIFDs) !== undefined);
  return directories.map((one) => imageOf(one, isRaw ? "camera raw" : undefined));
}

/** @param unsupported why the image is not read, if the directory does not say it */
function imageOf(directory: Directory, unsupported?: string): TiffImage {
  const width = directory.number(TAG.ImageWidth, 0);
  const height = directory.number(TAG.ImageLength, 0);
  if (width === 0 || height === 0) throw damagedTiff("an image of it has no size");
  const layout = layoutOf(directory);
  const isTiled = directory.number(TAG.TileWidth) !== undefined;
  const piece = isTiled
    ? { width: directory.number(TAG.TileWidth, 0), height: directory.number(TAG.TileLength, 0) }
    : { width, height: Math.min(height, directory.number(TAG.RowsPerStrip, height)) };
  if (piece.width === 0 || piece.height === 0) throw damagedTiff("a part of an image has no size");
  const isHuge = isTiled && piece.width * piece.height > MOST_TILE_PIXELS;
  return {
    ...{ directory, width, height, ...layout, isTiled, piece },
    orientation: orientationOf(directory.number(TAG.Orientation)),
    resolution: resolutionOf(directory),
    unsupported:
      unsupported ?? (isHuge ? "tiles of more than 16 megapixels" : unsupportedKindOf(directory, layout)),
  };
}

function resolutionOf(directory: Directory): Resolution | undefined {
  const unit = directory.number(TAG.ResolutionUnit, UNIT.inches);
  const perUnit = unit === UNIT.centimeters ? CENTIMETERS_PER_INCH : 1;
  const x = directory.number(TAG.XResolution, 0) * perUnit;
  const resolution = { x, y: directory.number(TAG.YResolution, 0) * perUnit };
  return unit !== UNIT.none && plausible(resolution) ? resolution : undefined;
}
