/** Converts a value from 0 to 1 to linear light from 0 to 1. */
export type TransferCurve = (value: number) => number;

/** The transfer function of sRGB (IEC 61966-2-1). */
export const srgbCurve: TransferCurve = (value) =>
  value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;

/** Converts linear light to a value of sRGB. */
export function srgbOfLight(light: number): number {
  return light <= 0.0031308 ? light * 12.92 : 1.055 * light ** (1 / 2.4) - 0.055;
}

/** Three rows of three numbers. */
export type Matrix = readonly [Row, Row, Row];
type Row = readonly [number, number, number];

/** The identity matrix. */
export const IDENTITY: Matrix = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];

/** How colors become sRGB: curves convert to linear light, then a matrix converts to the primaries of sRGB. */
export interface ColorConversion {
  readonly curves: readonly [TransferCurve, TransferCurve, TransferCurve];
  readonly matrix: Matrix;
}

/** x and y of red, green, blue and white in the CIE 1931 diagram. */
export type Chromaticities = readonly [Point, Point, Point, Point];
type Point = readonly [number, number];

const D65: Point = [0.3127, 0.329];
/** sRGB (IEC 61966-2-1). */
export const SRGB: Chromaticities = [[0.64, 0.33], [0.3, 0.6], [0.15, 0.06], D65];
/** Display P3: the primaries of DCI-P3 (SMPTE RP 431-2) and the white of sRGB. */
export const DISPLAY_P3: Chromaticities = [[0.68, 0.32], [0.265, 0.69], [0.15, 0.06], D65];
/** DCI-P3 (SMPTE RP 431-2), for cinema projectors. */
export const DCI_P3: Chromaticities = [
  [0.68, 0.32],
  [0.265, 0.69],
  [0.15, 0.06],
  [0.314, 0.351],
];
/** ITU-R BT.2020, for ultra-high-definition television. */
export const BT2020: Chromaticities = [[0.708, 0.292], [0.17, 0.797], [0.131, 0.046], D65];
/** ITU-R BT.601, for television with 525 lines. */
export const BT601_525: Chromaticities = [[0.63, 0.34], [0.31, 0.595], [0.155, 0.07], D65];
/** ITU-R BT.601, for television with 625 lines. */
export const BT601_625: Chromaticities = [[0.64, 0.33], [0.29, 0.6], [0.15, 0.06], D65];

/** D50, the white of the profile connection space (ICC.1:2022, 7.2.16). */
export const PCS_WHITE: Row = [0.9642, 1, 0.8249];

/** Bradford's cone responses for chromatic adaptation (ICC.1:2022, annex E). */
const BRADFORD: Matrix = [
  [0.8951, 0.2664, -0.1614],
  [-0.7502, 1.7135, 0.0367],
  [0.0389, -0.0685, 1.0296],
];

/** Returns the matrix from linear light with these primaries to XYZ adapted to D50. */
export function fromChromaticities(chromaticities: Chromaticities): Matrix {
  const [, , , white] = chromaticities;
  const [from, to] = [apply(BRADFORD, xyzOf(white)), apply(BRADFORD, PCS_WHITE)];
  const gain = diagonal([to[0] / from[0], to[1] / from[1], to[2] / from[2]]);
  return times(times(times(inverse(BRADFORD), gain), BRADFORD), unadapted(chromaticities));
}

/** Returns the matrix from linear light with these primaries to XYZ relative to their white. */
function unadapted([red, green, blue, white]: Chromaticities): Matrix {
  const columns = transposed([xyzOf(red), xyzOf(green), xyzOf(blue)]);
  return times(columns, diagonal(apply(inverse(columns), xyzOf(white))));
}

/** Returns the product of two matrices. */
export function times(a: Matrix, b: Matrix): Matrix {
  const columns = transposed(b);
  const row = (of: Row): Row => [dot(of, columns[0]), dot(of, columns[1]), dot(of, columns[2])];
  return [row(a[0]), row(a[1]), row(a[2])];
}

/** Returns the transposed matrix. */
export function transposed([a, b, c]: Matrix): Matrix {
  return [
    [a[0], b[0], c[0]],
    [a[1], b[1], c[1]],
    [a[2], b[2], c[2]],
  ];
}

/** Returns the inverse matrix. */
function inverse([a, b, c]: Matrix): Matrix {
  const [bc, ca, ab] = [cross(b, c), cross(c, a), cross(a, b)];
  const determinant = dot(a, bc);
  const columns: Matrix = [bc, ca, ab];
  const scaled = ([x, y, z]: Row): Row => [x / determinant, y / determinant, z / determinant];
  return transposed([scaled(columns[0]), scaled(columns[1]), scaled(columns[2])]);
}

/** Returns XYZ of a chromaticity with Y = 1. */
function xyzOf([x, y]: Point): Row {
  return [x / y, 1, (1 - x - y) / y];
}

function apply(matrix: Matrix, vector: Row): Row {
  return [dot(matrix[0], vector), dot(matrix[1], vector), dot(matrix[2], vector)];
}

function diagonal([x, y, z]: Row): Matrix {
  return [
    [x, 0, 0],
    [0, y, 0],
    [0, 0, z],
  ];
}

function dot(a: Row, b: Row): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

function cross(a: Row, b: Row): Row {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

/** From XYZ adapted to D50 to linear light of sRGB. */
export const SRGB_FROM_XYZ: Matrix = inverse(fromChromaticities(SRGB));
