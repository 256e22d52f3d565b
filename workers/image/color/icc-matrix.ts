import { Cursor } from "../isobmff/cursor.ts";
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
/** Tags that say the same by tables, and better: a profile that has the first for this intent means it. */
const TABLES = ["A2B0", "A2B1"];

/**
 * Reads an ICC profile of three primaries and three curves (ICC.1:2022, 8.3.3), as displays and cameras have, or of
 * gray. `"tables"`: a profile of another make. Nothing: no profile at all, which readers pass over.
 */
export function readMatrixProfile(profile: Uint8Array<ArrayBuffer>): ColorConversion | "tables" | undefined {
  try {
    return read(profile);
  } catch {
    // A profile that breaks off describes nothing.
    return undefined;
  }
}

function read(profile: Uint8Array<ArrayBuffer>): ColorConversion | "tables" | undefined {
  const header = new Cursor(profile, 0);
  header.skip(16);
  const space = header.fourCC();
  header.skip(16);
  if (header.fourCC() !== "acsp") return undefined;
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

function readTags(profile: Uint8Array<ArrayBuffer>): ReadonlyMap<string, Cursor> {
  const table = new Cursor(profile, 0);
  table.skip(HEADER);
  const tags = new Map<string, Cursor>();
  const count = Math.min(table.u32(), MAX_TAGS);
  for (let index = 0; index < count; index++) {
    const name = table.fourCC();
    const offset = table.u32();
    const length = table.u32();
    tags.set(name, new Cursor(profile.subarray(offset, offset + length), offset));
  }
  return tags;
}

function readXyz(tag: Cursor | undefined): readonly [number, number, number] | undefined {
  if (tag?.fourCC() !== "XYZ ") return undefined;
  tag.skip(4);
  return [fixed(tag), fixed(tag), fixed(tag)];
}

function readCurve(tag: Cursor | undefined): TransferCurve | undefined {
  const kind = tag?.fourCC();
  if (!tag || (kind !== "curv" && kind !== "para")) return undefined;
  // One curve may serve three tags.
  tag.skip(4);
  return kind === "para" ? parametric(tag) : sampled(tag);
}

function sampled(tag: Cursor): TransferCurve {
  const count = tag.u32();
  if (count === 0) return (value) => value;
  if (count === 1) {
    const gamma = tag.u16() / 256;
    return (value) => value ** gamma;
  }
  const bytes = tag.bytes(count * 2);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const sample = (index: number) => view.getUint16(Math.min(index, count - 1) * 2) / 65535;
  return (value) => {
    const at = value * (count - 1);
    const below = Math.floor(at);
    return sample(below) + (sample(below + 1) - sample(below)) * (at - below);
  };
}

/** ICC.1:2022, 10.18. */
function parametric(tag: Cursor): TransferCurve | undefined {
  const kind = tag.u16();
  tag.skip(2);
  const names = [1, 3, 4, 5, 7][kind];
  if (names === undefined) return undefined;
  const [g = 1, a = 1, b = 0, c = 0, d = 0, e = 0, f = 0] = Array.from({ length: names }, () => fixed(tag));
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

function fixed(tag: Cursor): number {
  return tag.i32() / 65536;
}
