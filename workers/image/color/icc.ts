import { uint32 } from "../../io/big-endian.ts";

export const HEADER_BYTES = 128;
/** The length of an entry of the tag table: name, offset and length. */
export const TAG_BYTES = 12;
/** Offsets in the header (ICC.1:2022, 7.2). */
export const AT = {
  ...{ size: 0, version: 8, deviceClass: 12, space: 16, connection: 20, signature: 36 },
  ...{ intent: 64, illuminant: 68 },
};
/** Little CMS reads no profile with more tags. */
const MOST_TAGS = 100;
/** Profile connection spaces (ICC.1:2022, 7.2.7). */
const CONNECTIONS: readonly string[] = ["XYZ ", "Lab "];
/** Old gray profiles of Adobe store the intent with swapped bytes. */
const FIRST_IMPOSSIBLE_INTENT = 0xffff;
const COMPONENTS = new Map([
  ["GRAY", 1],
  ["RGB ", 3],
  ["CMYK", 4],
]);
/** Input, display, output and color space profiles. Other classes do not describe the colors of images. */
const CLASSES: readonly string[] = ["scnr", "mntr", "prtr", "spac"];

/**
 * Returns how many components the colors of a profile have, from its header: 1, 3 or 4. Returns `undefined` for other
 * data. Readers ignore such a profile in an image.
 */
export function profileComponents(profile: Uint8Array): number | undefined {
  if (profile.length < HEADER_BYTES || uint32(profile, AT.size) > profile.length) return undefined;
  if (letters(profile, AT.signature) !== "acsp" || !CLASSES.includes(letters(profile, AT.deviceClass))) {
    return undefined;
  }
  const isConnected = CONNECTIONS.includes(letters(profile, AT.connection));
  const version = profile[AT.version] ?? 0;
  return version > 4 || !isConnected ? undefined : COMPONENTS.get(letters(profile, AT.space));
}

/**
 * Whether libpng accepts a profile for a gray or a color PNG (png_icc_check_header). Most readers of PNG use libpng or
 * agree with it.
 */
export function isPngProfile(profile: Uint8Array, isGray: boolean): boolean {
  const isUnpadded = (profile[AT.version] ?? 0) >= 4 && profile.length % 4 !== 0;
  return (
    profileComponents(profile) === (isGray ? 1 : 3) &&
    uint32(profile, AT.intent) < FIRST_IMPOSSIBLE_INTENT &&
    !isUnpadded
  );
}

/**
 * Returns the data of each tag of a profile, from its type signature on (ICC.1:2022, 7.3). The first of several tags
 * with one name counts. Tags with the same data have the same view.
 *
 * @returns `undefined` when there are too many tags, or when one is beyond the end
 */
export function profileTags(profile: Uint8Array): ReadonlyMap<string, Uint8Array> | undefined {
  const count = profile.length < HEADER_BYTES + 4 ? 0 : uint32(profile, HEADER_BYTES);
  if (count > MOST_TAGS || HEADER_BYTES + 4 + TAG_BYTES * count > profile.length) return undefined;
  const views = new Map<string, Uint8Array>();
  const tags = new Map<string, Uint8Array>();
  for (let index = 0; index < count; index++) {
    const at = HEADER_BYTES + 4 + TAG_BYTES * index;
    const start = uint32(profile, at + 4);
    const end = start + uint32(profile, at + 8);
    if (end > profile.length) return undefined;
    const place = `${start}-${end}`;
    const data = views.get(place) ?? profile.subarray(start, end);
    views.set(place, data);
    const name = letters(profile, at);
    if (!tags.has(name)) tags.set(name, data);
  }
  return tags;
}

/** Returns four bytes as text, such as the signature of a tag type. */
export function letters(bytes: Uint8Array, at: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + 4));
}
