import { uint16, uint32 } from "../../io/big-endian.ts";
import { AT, HEADER_BYTES, letters, profileComponents, profileTags } from "./icc.ts";
import { type ProfileTag, requiredTags, writeProfile } from "./icc-writer.ts";

/**
 * The ranges of the header that color conversion needs (ICC.1:2022, 7.2). The rest of the header is cleared.
 */
const KEPT_IN_HEADER = [
  // Version; class, color space and PCS; signature; PCS illuminant.
  { start: 8, end: 10 },
  { start: 12, end: 24 },
  { start: 36, end: 40 },
  { start: 68, end: 80 },
];
const LAST_INTENT = 3;

/**
 * The longest profile that is rebuilt, in bytes. Profiles of cameras and printers have at most some megabytes. JPEG and
 * PNG hold no longer profiles.
 */
const LONGEST_PROFILE = 16_000_000;

/** Returns the length of a tag's data by what the data says, or `undefined` when it makes no sense. */
type LengthOf = (data: Uint8Array) => number | undefined;

/** The number of parameters of each kind of parametric curve (ICC.1:2022, 10.18). */
const PARAMETERS = [1, 3, 4, 5, 7];
const LENGTHS: ReadonlyMap<string, LengthOf> = new Map<string, LengthOf>([
  ["XYZ ", () => 20],
  ["sf32", () => 8 + 4 * 9],
  ["cicp", () => 12],
  ["curv", (data) => 12 + 2 * uint32(data, 8)],
  ["para", (data) => 12 + 4 * (PARAMETERS[uint16(data, 8)] ?? Number.NaN)],
  ["mft1", (data) => 48 + tableValues(data, 256, 256)],
  ["mft2", (data) => 52 + 2 * tableValues(data, uint16(data, 48), uint16(data, 50))],
  // These types hold offsets to their elements, which may be in any order.
  ["mAB ", (data) => Math.max(data.length, 32)],
  ["mBA ", (data) => Math.max(data.length, 32)],
  ["mpet", (data) => Math.max(data.length, 16)],
]);

const XYZ = ["XYZ "];
const CURVE = ["curv", "para"];
const TO_CONNECTION = ["mft1", "mft2", "mAB "];
const FROM_CONNECTION = ["mft1", "mft2", "mBA "];
/**
 * The tags that convert colors (ICC.1:2022, 9.2), with the types that each may have, in the order of the
 * output.
 */
const COLOR_TAGS: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ["wtpt", XYZ],
  ["bkpt", XYZ],
  ["chad", ["sf32"]],
  ["cicp", ["cicp"]],
  ["rXYZ", XYZ],
  ["gXYZ", XYZ],
  ["bXYZ", XYZ],
  ["rTRC", CURVE],
  ["gTRC", CURVE],
  ["bTRC", CURVE],
  ["kTRC", CURVE],
  ...["A2B0", "A2B1", "A2B2"].map((name) => [name, TO_CONNECTION] as const),
  ...["B2A0", "B2A1", "B2A2"].map((name) => [name, FROM_CONNECTION] as const),
  ...["D2B0", "D2B1", "D2B2", "D2B3"].map((name) => [name, ["mpet"]] as const),
  ...["B2D0", "B2D1", "B2D2", "B2D3"].map((name) => [name, ["mpet"]] as const),
]);
/** A profile converts colors when it has all tags of the set for its color space. */
const SUFFICIENT = new Map([
  ["GRAY", ["kTRC"]],
  ["RGB ", ["rXYZ", "gXYZ", "bXYZ", "rTRC", "gTRC", "bTRC"]],
]);
const TABLES = [...COLOR_TAGS.keys()].filter((name) => /^[AD]2B/.test(name));

/**
 * Rebuilds the ICC profile of an image (ICC.1:2022). The new profile converts colors as before and identifies
 * nothing: not the device, its maker, the program, the author or the time. It keeps only the header fields
 * and the tags that color conversion needs. The required description and copyright are constant, so profiles
 * of the same colors are equal.
 *
 * @returns undefined for a profile that is damaged or does not describe the colors of an image
 */
export function neutralProfile(profile: Uint8Array): Uint8Array<ArrayBuffer> | undefined {
  const size = profileComponents(profile) === undefined ? 0 : uint32(profile, AT.size);
  const tags = size > LONGEST_PROFILE ? undefined : profileTags(profile.subarray(0, size));
  if (tags === undefined) return undefined;
  const found = [...COLOR_TAGS].flatMap(([name, types]): ProfileTag[] => {
    const data = tags.get(name);
    return data !== undefined && types.includes(letters(data, 0)) ? [[name, data]] : [];
  });
  const space = letters(profile, AT.space);
  const shared = [...new Set(found.map(([, data]) => data))];
  // Tags share their data or do not overlap. Overlapping tags could make the new profile many times as long.
  const length = shared.reduce((sum, data) => sum + data.length, 0);
  if (!convertsColors(new Set(found.map(([name]) => name)), space) || length > size) return undefined;
  const copies = new Map(shared.map((data) => [data, neutralData(data)]));
  const kept: ProfileTag[] = [];
  for (const [name, data] of found) {
    const copy = copies.get(data);
    if (copy === undefined) return undefined;
    kept.push([name, copy]);
  }
  return writeProfile(neutralHeader(profile), [
    ...requiredTags(profile[AT.version] ?? 0, space.trim()),
    ...kept,
  ]);
}

function neutralHeader(profile: Uint8Array): Uint8Array<ArrayBuffer> {
  const header = new Uint8Array(HEADER_BYTES);
  for (const { start, end } of KEPT_IN_HEADER) header.set(profile.subarray(start, end), start);
  const intent = uint32(profile, AT.intent);
  if (intent <= LAST_INTENT) header[AT.intent + 3] = intent;
  return header;
}

function convertsColors(tags: ReadonlySet<string>, space: string): boolean {
  const isMatrix = SUFFICIENT.get(space)?.every((name) => tags.has(name)) === true;
  return isMatrix || TABLES.some((name) => tags.has(name));
}

/**
 * Copies a tag's data without its reserved bytes and without bytes after its end, which may hold anything.
 *
 * @returns `undefined` when the data is shorter than it says
 */
function neutralData(data: Uint8Array): Uint8Array | undefined {
  const length = LENGTHS.get(letters(data, 0))?.(data);
  if (length === undefined || !(length <= data.length)) return undefined;
  const copy = data.slice(0, length);
  copy.fill(0, 4, 8);
  return copy;
}

/** Returns the number of values in the tables of a lut8Type or lut16Type (ICC.1:2022, 10.10 and 10.11). */
function tableValues(data: Uint8Array, inputEntries: number, outputEntries: number): number {
  const [inputs = 0, outputs = 0, grid = 0] = data.subarray(8, 11);
  return inputEntries * inputs + grid ** inputs * outputs + outputEntries * outputs;
}
