import { uint32 } from "./big-endian.ts";

const HEADER_BYTES = 128;
/** Where the header says what the profile is (ICC.1:2022, 7.2). */
const AT = { size: 0, version: 8, deviceClass: 12, space: 16, signature: 36, intent: 64 };
/** Perceptual, relative, saturation, absolute (ICC.1:2022, 7.2.15). */
const INTENTS = 4;
const COMPONENTS = new Map([
  ["GRAY", 1],
  ["RGB ", 3],
  ["CMYK", 4],
]);
/** Input, display, output and colour space profiles: the others say nothing of an image's colours. */
const CLASSES: readonly string[] = ["scnr", "mntr", "prtr", "spac"];

/**
 * How many components the colours have that an ICC profile describes, by its header: 1, 3 or 4. Undefined for what is
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
 * The profile with a rendering intent that exists, where it has none: Adobe's for grey have its bytes in the wrong order,
 * for which libpng, and so Chromium, does not look at them.
 */
export function withPossibleIntent(profile: Uint8Array): Uint8Array<ArrayBuffer> | undefined {
  if (profile.length < HEADER_BYTES || uint32(profile, AT.intent) < INTENTS) return undefined;
  const copy = profile.slice();
  const intent = profile[AT.intent] ?? 0;
  copy.set([0, 0, 0, intent < INTENTS ? intent : 0], AT.intent);
  return copy;
}

function letters(bytes: Uint8Array, at: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + 4));
}
