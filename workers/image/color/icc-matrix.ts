import {
  type ColorConversion,
  IDENTITY,
  SRGB_FROM_XYZ,
  type TransferCurve,
  times,
  transposed,
} from "./rgb-spaces.ts";

const HEADER = 128;
const MAX_TAGS = 1_000;
const COLUMNS = ["rXYZ", "gXYZ", "bXYZ"] as const;
const CURVES = ["rTRC", "gTRC", "bTRC"] as const;
/** Tags that convert colors with lookup tables. */
const TABLES = ["A2B0", "A2B1"];

/**
 * Reads an ICC profile with three primaries and three curves (ICC.1:2022, 8.3.3), as displays and cameras have, or with
 * one curve for gray.
 *
 * @returns `"tables"` for a profile that has only lookup tables; `undefined` for a damaged one, which readers ignore
 */
export function readMatrixProfile(profile: Uint8Array<ArrayBuffer>): ColorConversion | "tables" | undefined {
  try {
    return read(profile);
  } catch (thrown) {
    // The profile is cut off.
    if (thrown instanceof RangeError) return undefined;
    throw thrown;
  }
}

function read(profile: Uint8Array<ArrayBuffer>): ColorConversion | "tables" | undefined {
  const header = viewOf(profile);
  if (fourCC(header, 36) !== "acsp") return undefined;
  const space = fourCC(header, 16);
  const tags = readTags(profile);
  if (space === "GRAY") {
    const curve = readCurve(tags.get("kTRC"));
    return curve && { curves: [curve, curve, curve], matrix: IDENTITY };
  }
  if (space !== "RGB ") return undefined;
  const [red, green, blue] = COLUMNS.map((name) => readXyz(tags.get(name)));
  const [redCurve, greenCurve, blueCurve] = CURVES.map((name) => readCurve(tags.get(name)));
  if (!red || !green || !blue || !redCurve || !greenCurve || !blueCurve) {
    return TABLES.some((name) => tags.has(name)) ? "tables" : undefined;
  }
  const toXyz = transposed([red, green, blue]);
  return { curves: [redCurve, greenCurve, blueCurve], matrix: times(SRGB_FROM_XYZ, toXyz) };
}

function readTags(profile: Uint8Array<ArrayBuffer>): ReadonlyMap<string, DataView> {
  const table = viewOf(profile.subarray(HEADER));
  const tags = new Map<string, DataView>();
  const count = Math.min(table.getUint32(0), MAX_TAGS);
  for (let at = 4; at < 4 + 12 * count; at += 12) {
    const offset = table.getUint32(at + 4);
    tags.set(fourCC(table, at), viewOf(profile.subarray(offset, offset + table.getUint32(at + 8))));
  }
  return tags;
}

function readXyz(tag: DataView | undefined): readonly [number, number, number] | undefined {
  if (!tag || fourCC(tag, 0) !== "XYZ ") return undefined;
  return [fixed(tag, 8), fixed(tag, 12), fixed(tag, 16)];
}

function readCurve(tag: DataView | undefined): TransferCurve | undefined {
  if (!tag) return undefined;
  const kind = fourCC(tag, 0);
  if (kind === "para") return parametric(tag);
  return kind === "curv" ? sampled(tag) : undefined;
}

/** Reads a curve of samples (ICC.1:2022, 10.6). */
function sampled(tag: DataView): TransferCurve {
  const count = tag.getUint32(8);
  if (count === 0) return (value) => value;
  if (count === 1) {
    const gamma = tag.getUint16(12) / 256;
    return (value) => value ** gamma;
  }
  if (12 + 2 * count > tag.byteLength) throw new RangeError("the curve is cut off");
  const sample = (index: number) => tag.getUint16(12 + 2 * Math.min(index, count - 1)) / 65535;
  return (value) => {
    const at = value * (count - 1);
    const below = Math.floor(at);
    return sample(below) + (sample(below + 1) - sample(below)) * (at - below);
  };
}

/** Reads a parametric curve (ICC.1:2022, 10.18). */
function parametric(tag: DataView): TransferCurve | undefined {
  const kind = tag.getUint16(8);
  const count = [1, 3, 4, 5, 7][kind];
  if (count === undefined) return undefined;
  const [g = 1, a = 1, b = 0, c = 0, d = 0, e = 0, f = 0] = Array.from({ length: count }, (_, index) =>
    fixed(tag, 12 + 4 * index),
  );
  switch (kind) {
    case 0:
      return (value) => value ** g;
    case 1:
      return (value) => (value >= -b / a ? (a * value + b) ** g : 0);
    case 2:
      return (value) => (value >= -b / a ? (a * value + b) ** g + c : c);
    case 3:
      return (value) => (value >= d ? (a * value + b) ** g : c * value);
    default:
      return (value) => (value >= d ? (a * value + b) ** g + e : c * value + f);
  }
}

function fixed(tag: DataView, at: number): number {
  return tag.getInt32(at) / 65536;
}

function fourCC(view: DataView, at: number): string {
  return String.fromCharCode(
    view.getUint8(at),
    view.getUint8(at + 1),
    view.getUint8(at + 2),
    view.getUint8(at + 3),
  );
}

function viewOf(bytes: Uint8Array<ArrayBuffer>): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
