import type { PageSize } from "../../../src/shared/protocol.ts";
import type { Orientation, Resolution } from "../metadata/exif.ts";

/** What of an image decides where it goes. */
export interface Shape {
  /** In pixels, as stored. */
  readonly width: number;
  readonly height: number;
  readonly orientation: Orientation;
  readonly resolution: Resolution | undefined;
}

/** A page and where the image is on it, in points of 1/72 inch from the lower left corner. */
export interface Placement {
  readonly width: number;
  readonly height: number;
  /** Takes the unit square, which an image fills, to its place: turned and mirrored as its orientation asks. */
  readonly matrix: readonly [number, number, number, number, number, number];
}

const POINTS_PER_INCH = 72;
/** Of an image that does not say: as browsers show it. */
const DEFAULT_RESOLUTION: Resolution = { x: 96, y: 96 };
/** Readers refuse pages that are smaller or larger (ISO 32000-1, annex C). */
const SHORTEST_SIDE = 3;
const LONGEST_SIDE = 14_400;
/** On paper: what nearly every printer leaves white, a quarter of an inch. */
const MARGIN = 18;
/** On paper, an image is not enlarged so far that its pixels show. */
const LARGEST_PIXEL = 1;
/** A scan whose size by its resolution is the paper's, give or take so much, covers it. */
const SCAN_TOLERANCE = 0.02;

/**
 * An image stays this far from its place's edges: no eye or printer tells, but poppler, for which an edge on a pixel's
 * border belongs to both pixels, then keeps each pixel instead of stretching the image by one.
 */
const SLIVER = 0.0005;

/** The papers' short and long sides. */
const PAPERS: Readonly<Record<Exclude<PageSize, "fit">, readonly [number, number]>> = {
  a4: [595.276, 841.89],
  letter: [612, 792],
};

interface Size {
  readonly width: number;
  readonly height: number;
}

/**
 * Says how large the page is and where the image goes.
 *
 * `fit` makes the page as large as the image is by its resolution. On paper the image lies in the middle, portrait or
 * landscape by its own shape, as large as the margin and its pixels allow; a scan of that very paper covers it whole.
 */
export function placeImage(shape: Shape, pageSize: PageSize): Placement {
  const natural = naturalSize(shape);
  const page = pageSize === "fit" ? pageAround(natural) : paperFor(natural, PAPERS[pageSize]);
  const image = pageSize === "fit" ? scaled(natural, fitScale(natural)) : sizeOnPaper(shape, natural, page);
  const inset = { width: image.width - 2 * SLIVER, height: image.height - 2 * SLIVER };
  const corner = { x: (page.width - inset.width) / 2, y: (page.height - inset.height) / 2 };
  return { ...page, matrix: matrixOf(shape.orientation, inset, corner) };
}

/** The upright image's size in points by its resolution. */
function naturalSize({ width, height, orientation, resolution = DEFAULT_RESOLUTION }: Shape): Size {
  const across = roundedDown((width * POINTS_PER_INCH) / resolution.x);
  const down = roundedDown((height * POINTS_PER_INCH) / resolution.y);
  return orientation >= 5 ? { width: down, height: across } : { width: across, height: down };
}

/** Five digits; down, so that a page is never a sliver larger than its image and rendered one pixel larger. */
function roundedDown(points: number): number {
  return Math.floor(points * 1e5 + 1e-3) / 1e5;
}

function fitScale({ width, height }: Size): number {
  const up = Math.max(1, SHORTEST_SIDE / Math.min(width, height));
  return Math.min(up, LONGEST_SIDE / Math.max(width, height));
}

function pageAround(natural: Size): Size {
  const { width, height } = scaled(natural, fitScale(natural));
  return { width: Math.max(SHORTEST_SIDE, width), height: Math.max(SHORTEST_SIDE, height) };
}

function paperFor({ width, height }: Size, [short, long]: readonly [number, number]): Size {
  return width > height ? { width: long, height: short } : { width: short, height: long };
}

function sizeOnPaper(shape: Shape, natural: Size, page: Size): Size {
  const isScan =
    shape.resolution !== undefined &&
    Math.abs(natural.width / page.width - 1) <= SCAN_TOLERANCE &&
    Math.abs(natural.height / page.height - 1) <= SCAN_TOLERANCE;
  if (isScan) return page;
  const room = Math.min(
    (page.width - 2 * MARGIN) / natural.width,
    (page.height - 2 * MARGIN) / natural.height,
  );
  const { x, y } = shape.resolution ?? DEFAULT_RESOLUTION;
  const enlarged = (LARGEST_PIXEL * Math.min(x, y)) / POINTS_PER_INCH;
  return scaled(natural, Math.min(room, Math.max(1, enlarged)));
}

function scaled({ width, height }: Size, scale: number): Size {
  return { width: width * scale, height: height * scale };
}

/**
 * The matrix for an upright image of that size. An image's own unit square has its first row on top; each
 * orientation says where that row and the first column belong (Exif 3.0, 4.6.5.1).
 */
function matrixOf(
  orientation: Orientation,
  { width: w, height: h }: Size,
  { x, y }: { readonly x: number; readonly y: number },
): Placement["matrix"] {
  switch (orientation) {
    case 1:
      return [w, 0, 0, h, x, y];
    case 2:
      return [-w, 0, 0, h, x + w, y];
    case 3:
      return [-w, 0, 0, -h, x + w, y + h];
    case 4:
      return [w, 0, 0, -h, x, y + h];
    case 5:
      return [0, -h, -w, 0, x + w, y + h];
    case 6:
      return [0, -h, w, 0, x, y + h];
    case 7:
      return [0, h, w, 0, x, y];
    case 8:
      return [0, h, -w, 0, x + w, y];
  }
}
