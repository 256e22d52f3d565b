import { AT, letters, profileTags } from "./icc.ts";
import {
  type ColorConversion,
  IDENTITY,
  SRGB_FROM_XYZ,
  type TransferCurve,
  times,
  transposed,
} from "./rgb-spaces.ts";

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
export function readMatrixProfile(profile: Uint8Array): ColorConversion | "tables" | undefined {
  try {
    return read(profile);
  } catch (thrown) {
    // The profile is cut off.
    if (thrown instanceof RangeError) return undefined;
    throw thrown;
  }
}

function read(profile: Uint8Array): ColorConversion | "tables" | undefined {
  const tags = letters(profile, AT.signature) === "acsp" ? profileTags(profile) : undefined;
  if (tags === undefined) return undefined;
  const space = letters(profile, AT.space);
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

function readXyz(tag: Uint8Array | undefined): readonly [number, number, number] | undefined {
  if (!tag || letters(tag, 0) !== "XYZ ") return undefined;
  const view = viewOf(tag);
  return [fixed(view, 8), fixed(view, 12), fixed(view, 16)];
}

function readCurve(tag: Uint8Array | undefined): TransferCurve | undefined {
  if (!tag) return undefined;
  const kind = letters(tag, 0);
  if (kind === "para") return parametric(viewOf(tag));
  return kind === "curv" ? sampled(viewOf(tag)) : undefined;
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

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
