/** How a display turns values into light: an exponent, and x and y of white, red, green and blue. */
export interface Calibration {
  /** The exponent of the encoding: 1/2.2 and the like. */
  readonly gamma: number;
  /** Those of sRGB when absent. */
  readonly chromaticities?: readonly number[] | undefined;
}

type Vector = readonly [number, number, number];
type Matrix = readonly [Vector, Vector, Vector];

const SRGB = [0.3127, 0.329, 0.64, 0.33, 0.3, 0.6, 0.15, 0.06];
/** The white of profiles. */
const D50: Vector = [0.9642, 1, 0.8249];
const BRADFORD: Matrix = [
  [0.8951, 0.2664, -0.1614],
  [-0.7502, 1.7135, 0.0367],
  [0.0389, -0.0685, 1.0296],
];
const HEADER_BYTES = 128;
const TAG_BYTES = 12;
const NAME = "Calibrated RGB";

/**
 * An ICC profile (ICC.1:2001-04) that says what a calibration says; undefined for one that makes no sense. Files that
 * cannot say it otherwise stay right with it.
 */
export function calibratedProfile({ gamma, chromaticities = SRGB }: Calibration): Uint8Array | undefined {
  const colorants = colorantsOf(chromaticities);
  const exponent = Math.round(256 / gamma);
  if (colorants === undefined || exponent < 1 || exponent > 0xffff) return undefined;
  const curve = new DataView(new ArrayBuffer(14));
  setText(curve, 0, "curv");
  curve.setUint32(8, 1);
  curve.setUint16(12, exponent);
  const [red, green, blue] = colorants;
  const tags: [string, DataView][] = [
    ["desc", description()],
    ["cprt", textOf("No copyright")],
    ["wtpt", xyz(D50)],
    ["rXYZ", xyz(red)],
    ["gXYZ", xyz(green)],
    ["bXYZ", xyz(blue)],
    ["rTRC", curve],
    ["gTRC", curve],
    ["bTRC", curve],
  ];
  return profileOf(tags);
}

function profileOf(tags: readonly [string, DataView][]): Uint8Array {
  const start = HEADER_BYTES + 4 + TAG_BYTES * tags.length;
  const size = tags.reduce((sum, [, data]) => sum + aligned(data.byteLength), start);
  const view = new DataView(new ArrayBuffer(size));
  const bytes = new Uint8Array(view.buffer);
  view.setUint32(0, size);
  view.setUint32(8, 0x02400000);
  setText(view, 12, "mntrRGB XYZ ");
  setText(view, 36, "acsp");
  for (const [index, value] of D50.entries()) view.setInt32(68 + 4 * index, fixed(value));
  view.setUint32(HEADER_BYTES, tags.length);
  let at = start;
  for (const [index, [name, data]] of tags.entries()) {
    const entry = HEADER_BYTES + 4 + TAG_BYTES * index;
    setText(view, entry, name);
    view.setUint32(entry + 4, at);
    view.setUint32(entry + 8, data.byteLength);
    bytes.set(new Uint8Array(data.buffer), at);
    at += aligned(data.byteLength);
  }
  return bytes;
}

/** What red, green and blue at their brightest are, as XYZ seen in the light of {@link D50}. */
function colorantsOf(chromaticities: readonly number[]): Matrix | undefined {
  const point = (index: number): Vector | undefined => {
    const x = chromaticities[2 * index] ?? 0;
    const y = chromaticities[2 * index + 1] ?? 0;
    return y > 0 ? [x / y, 1, (1 - x - y) / y] : undefined;
  };
  const [white, red, green, blue] = [point(0), point(1), point(2), point(3)];
  if (!white || !red || !green || !blue) return undefined;
  const inverse = inverted(transposed([red, green, blue]));
  const bradfordBack = inverted(BRADFORD);
  if (!inverse || !bradfordBack) return undefined;
  const [r, g, b] = times(inverse, white);
  const from = times(BRADFORD, white);
  const to = times(BRADFORD, D50);
  const adapted = (primary: Vector, share: number): Vector => {
    const cone = times(BRADFORD, scaled(primary, share));
    return times(bradfordBack, [
      (cone[0] * to[0]) / from[0],
      (cone[1] * to[1]) / from[1],
      (cone[2] * to[2]) / from[2],
    ]);
  };
  const colorants: Matrix = [adapted(red, r), adapted(green, g), adapted(blue, b)];
  return colorants.flat().every((value) => Math.abs(value) < 4) ? colorants : undefined;
}

function times(matrix: Matrix, [x, y, z]: Vector): Vector {
  const row = ([a, b, c]: Vector) => a * x + b * y + c * z;
  return [row(matrix[0]), row(matrix[1]), row(matrix[2])];
}

function scaled([x, y, z]: Vector, by: number): Vector {
  return [x * by, y * by, z * by];
}

function transposed([[a, b, c], [d, e, f], [g, h, i]]: Matrix): Matrix {
  return [
    [a, d, g],
    [b, e, h],
    [c, f, i],
  ];
}

function inverted([[a, b, c], [d, e, f], [g, h, i]]: Matrix): Matrix | undefined {
  const determinant = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g);
  if (Math.abs(determinant) < 1e-9) return undefined;
  const row = (x: number, y: number, z: number): Vector => scaled([x, y, z], 1 / determinant);
  return [
    row(e * i - f * h, c * h - b * i, b * f - c * e),
    row(f * g - d * i, a * i - c * g, c * d - a * f),
    row(d * h - e * g, b * g - a * h, a * e - b * d),
  ];
}

function xyz(vector: Vector): DataView {
  const view = new DataView(new ArrayBuffer(20));
  setText(view, 0, "XYZ ");
  for (const [index, value] of vector.entries()) view.setInt32(8 + 4 * index, fixed(value));
  return view;
}

/** A text in ASCII, and none in Unicode and ScriptCode, whose place is kept. */
function description(): DataView {
  const view = new DataView(new ArrayBuffer(12 + NAME.length + 1 + 78));
  setText(view, 0, "desc");
  view.setUint32(8, NAME.length + 1);
  setText(view, 12, NAME);
  return view;
}

function textOf(text: string): DataView {
  const view = new DataView(new ArrayBuffer(8 + text.length + 1));
  setText(view, 0, "text");
  setText(view, 8, text);
  return view;
}

function setText(view: DataView, at: number, text: string): void {
  for (let index = 0; index < text.length; index++) view.setUint8(at + index, text.charCodeAt(index));
}

function fixed(value: number): number {
  return Math.round(value * 65_536);
}

function aligned(length: number): number {
  return Math.ceil(length / 4) * 4;
}
