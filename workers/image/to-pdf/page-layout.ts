import type { PageSize } from "../../../src/shared/protocol.ts";
import type { Orientation, Resolution } from "../metadata/exif.ts";
import type { Size } from "../picture/size.ts";
import { turnBy, uprightSize } from "../picture/upright.ts";

/** The properties of an image that determine its place. The size is in pixels, as stored. */
export interface Shape extends Size {
  readonly orientation: Orientation;
  readonly resolution: Resolution | undefined;
}

/** A page and the place of the image on it, in points (1/72 inch) from the lower left corner. */
export interface Placement extends Size {
  /** Maps the unit square, which an image fills, to its place, rotated and mirrored by its orientation. */
  readonly matrix: readonly [number, number, number, number, number, number];
}

const POINTS_PER_INCH = 72;
/** The resolution of an image that states none: that of CSS. */
const DEFAULT_RESOLUTION: Resolution = { x: 96, y: 96 };
/** Readers refuse pages that are smaller or larger (ISO 32000-1, annex C). */
const SHORTEST_SIDE = 3;
const LONGEST_SIDE = 14_400;
/** The margin on paper: a quarter of an inch, which nearly every printer leaves white. */
const MARGIN = 18;
/** On paper, an image is not enlarged until its pixels show. */
const LARGEST_PIXEL = 1;
/** A scan covers the paper when its size differs from that of the paper by this share at most. */
const SCAN_TOLERANCE = 0.02;

/**
 * The distance between an image and the edges of its place. It is invisible. Without it, poppler counts an edge on a
 * pixel border to both pixels and stretches the image by one pixel.
 */
const SLIVER = 0.0005;

/** The short and the long side of each paper. */
const PAPERS: Readonly<Record<Exclude<PageSize, "fit">, readonly [number, number]>> = {
  a4: [595.276, 841.89],
  letter: [612, 792],
};

/**
 * Returns the size of the page and the place of the image.
 *
 * `fit` makes the page as large as the image is by its resolution. On paper, the image is centered, in portrait or
 * landscape by its own shape, as large as the margin and its pixels allow. A scan of that paper covers it.
 */
export function placeImage(shape: Shape, pageSize: PageSize): Placement {
  const natural = naturalSize(shape);
  const page = pageSize === "fit" ? pageAround(natural) : paperFor(natural, PAPERS[pageSize]);
  const image = pageSize === "fit" ? scaled(natural, fitScale(natural)) : sizeOnPaper(shape, natural, page);
  const inset = { width: image.width - 2 * SLIVER, height: image.height - 2 * SLIVER };
  const corner = { x: (page.width - inset.width) / 2, y: (page.height - inset.height) / 2 };
  return { ...page, matrix: matrixOf(shape.orientation, inset, corner) };
}

/** Returns the size of the upright image in points, by its resolution. */
function naturalSize({ width, height, orientation, resolution = DEFAULT_RESOLUTION }: Shape): Size {
  const across = roundedDown((width * POINTS_PER_INCH) / resolution.x);
  const down = roundedDown((height * POINTS_PER_INCH) / resolution.y);
  return uprightSize({ width: across, height: down }, orientation);
}

/** Rounds down to five digits, so that no renderer makes a page one pixel larger than its image. */
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

/**
 * Returns the matrix of a strip of an image.
 *
 * @param matrix that of the whole image
 * @param top the share of the image that is above the strip
 * @param bottom the share of the image down to the end of the strip
 */
export function stripMatrix(
  [a, b, c, d, e, f]: Placement["matrix"],
  top: number,
  bottom: number,
): Placement["matrix"] {
  // The edges of each strip keep the distance that the edges of the image have.
  const inset = Math.abs(c) + Math.abs(d);
  const start = ((1 - bottom) * (inset + 2 * SLIVER)) / inset;
  const end = ((1 - top) * (inset + 2 * SLIVER) - 2 * SLIVER) / inset;
  return [a, b, c * (end - start), d * (end - start), e + c * start, f + d * start];
}

function scaled({ width, height }: Size, scale: number): Size {
  return { width: width * scale, height: height * scale };
}

/** Returns the matrix of an upright image of that size. The unit square of an image has its first row on top. */
function matrixOf(
  orientation: Orientation,
  { width: w, height: h }: Size,
  { x, y }: { readonly x: number; readonly y: number },
): Placement["matrix"] {
  const { isTurned, isFromRight, isFromBottom } = turnBy(orientation);
  return isTurned
    ? [0, isFromBottom ? h : -h, isFromRight ? w : -w, 0, isFromRight ? x : x + w, isFromBottom ? y : y + h]
    : [isFromRight ? -w : w, 0, 0, isFromBottom ? -h : h, isFromRight ? x + w : x, isFromBottom ? y + h : y];
}
