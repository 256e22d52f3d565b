import { uint32 } from "../../io/big-endian.ts";
import type { Color, ProfilePolicy } from "./color.ts";
import { planColor, profileOfCodePoints } from "./color-description.ts";
import { profileComponents } from "./icc.ts";

/** How a browser decodes colors. */
export interface BrowserColors {
  /** Whether it can decode without converting colors. */
  readonly canKeepValues: boolean;
  /** Whether it converts to sRGB. Firefox converts to the colors of the screen or, with some settings, not at all. */
  readonly convertsToSrgb: boolean;
}

/** What happens to the colors of an image that the browser decodes. */
export interface ColorDecision {
  /** Whether the browser decodes without converting colors. */
  readonly keepValues: boolean;
  /** Whether the values stay in their color space, which the output then states. */
  readonly stays: boolean;
  /** The color space that Stayput converts to sRGB. */
  readonly convertFrom: Color | undefined;
}

/** The transfer functions of high dynamic range, PQ and HLG (ITU-T H.273, table 3). */
const BRIGHT_CURVES: readonly number[] = [16, 18];

/**
 * Decides what happens to the colors of an image that the browser decodes.
 *
 * @param color `undefined` for an image that the browser shows without conversion
 * @param mayStay whether the values may stay in their color space
 */
export function decideColors(
  color: Color | undefined,
  mayStay: boolean,
  { canKeepValues, convertsToSrgb }: BrowserColors,
): ColorDecision {
  const stays = mayStay && canKeepValues;
  const convertsHere = !stays && canKeepValues && !convertsToSrgb && isConvertible(color);
  return { keepValues: stays || convertsHere, stays, convertFrom: convertsHere ? color : undefined };
}

/** Whether Stayput can convert from a color space. The browser always converts lookup tables, PQ and HLG. */
function isConvertible(color: Color | undefined): boolean {
  if (color?.kind === "nclx") return !BRIGHT_CURVES.includes(color.transfer);
  return color !== undefined && planColor(color) !== "tables";
}

/** Returns the profile of values that may stay in its colors: one for RGB, unless all colors are converted. */
export function statedProfile<Profile extends Uint8Array>(
  profile: Profile | undefined,
  policy: ProfilePolicy,
): Profile | undefined {
  return profile !== undefined && policy !== "convert" && profileComponents(profile) === 3
    ? profile
    : undefined;
}

/** Returns the profile of values that are decoded here and stay in their color space. Otherwise they become sRGB. */
export function keptProfile(color: Color | undefined, policy: ProfilePolicy): Uint8Array | undefined {
  if (color?.kind === "nclx") return policy === "convert" ? undefined : profileOfCodePoints(color);
  const profile = statedProfile(color?.profile, policy);
  if (profile === undefined || (policy === "allow" && planColor(color) === "none")) return undefined;
  // Some cameras write more bytes than the profile has.
  return profile.subarray(0, uint32(profile, 0));
}
