import { uint32 } from "../../io/big-endian.ts";

const HEADER_BYTES = 128;
/** Where the header says what the profile is (ICC.1:2022, 7.2). */
const AT = { size: 0, version: 8, deviceClass: 12, space: 16, connection: 20, signature: 36, intent: 64 };
/** Spaces through which profiles are connected (ICC.1:2022, 7.2.7). */
const CONNECTIONS: readonly string[] = ["XYZ ", "Lab "];
/** Adobe's old profiles of gray have it with its bytes the other way around. */
const FIRST_IMPOSSIBLE_INTENT = 0xffff;
const COMPONENTS = new Map([
  ["GRAY", 1],
  ["RGB ", 3],
  ["CMYK", 4],
]);
/** Input, display, output and color space profiles: the others say nothing of an image's colors. */
const CLASSES: readonly string[] = ["scnr", "mntr", "prtr", "spac"];

/**
 * How many components the colors have that an ICC profile describes, by its header: 1, 3 or 4. Undefined for what is
 * no profile, or not one of an image: images with such a profile are shown as if they had none.
 */
export function profileComponents(profile: Uint8Array): number | undefined {
  if (profile.length < HEADER_BYTES || uint32(profile, AT.size) > profile.length) return undefined;
  if (letters(profile, AT.signature) !== "acsp" || !CLASSES.includes(letters(profile, AT.deviceClass))) {
    return undefined;
  }
  const version = profile[AT.version] ?? 0;
  return version > 4 ? undefined : COMPONENTS.get(letters(profile, AT.space));
}

/**
 * Whether libpng looks at a profile, of a PNG in gray or in color (png_icc_check_header): nearly everything reads PNG by
 * it, or does as it does.
 */
export function isPngProfile(profile: Uint8Array, isGray: boolean): boolean {
  const isOdd = (profile[AT.version] ?? 0) >= 4 && profile.length % 4 !== 0;
  return (
    profileComponents(profile) === (isGray ? 1 : 3) &&
    CONNECTIONS.includes(letters(profile, AT.connection)) &&
    uint32(profile, AT.intent) < FIRST_IMPOSSIBLE_INTENT &&
    !isOdd
  );
}

function letters(bytes: Uint8Array, at: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + 4));
}
