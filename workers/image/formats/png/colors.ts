import { adler32 } from "../../../io/adler32.ts";
import { uint32 } from "../../../io/big-endian.ts";
import { inflateAtMost } from "../../../io/bounded-inflate.ts";
import { calibratedProfile } from "../../color/calibrated-profile.ts";
import { type Color, profileColor } from "../../color/color.ts";
import { isPngProfile } from "../../color/icc.ts";
import { type Chromaticities, SRGB } from "../../color/rgb-spaces.ts";

/** The color space of a PNG. The first kind of chunk that is present counts (PNG 3, 4.3). */
export interface PngColor {
  /** Undefined for sRGB, which is the default. */
  readonly color: Color | undefined;
  /** The types of the chunks that state it. None for sRGB. */
  readonly colorChunks: readonly string[];
}

/** The chunks that state colors. */
export const COLOR_CHUNKS: readonly string[] = ["cICP", "iCCP", "sRGB", "gAMA", "cHRM"];

const LONGEST_PROFILE = 16 * 1024 * 1024;
/** An exponent that is close to the curve of sRGB. */
const SRGB_EXPONENT = 1 / 2.2;
/** The largest invisible differences. */
const SAME_EXPONENT = 0.01;
const SAME_POINT = 0.005;
/** The code points of sRGB in H.273. Its primaries are those of BT.709. */
const CICP = { bt709: 1, srgb: 13 };
const IS_SRGB: PngColor = { color: undefined, colorChunks: [] };

/**
 * Reads what chunks state about the color space. `idleChunks` are without effect: they state sRGB, or they are ignored.
 *
 * An exponent of 1/2.2 with the primaries of sRGB means sRGB. It was used before the sRGB chunk existed, and still is,
 * for readers that do not know the chunk.
 *
 * @param isGray whether pixels have one value for all colors
 */
export function readColor(
  chunks: ReadonlyMap<string, Uint8Array>,
  isGray: boolean,
): PngColor & { readonly idleChunks: readonly string[] } {
  const profile = profileOf(chunks.get("iCCP"));
  const followed = profile !== undefined && isPngProfile(profile, isGray) ? profile : undefined;
  const stated = statedColor(chunks, followed, isGray);
  const idle = stated.colorChunks.length === 0 ? COLOR_CHUNKS : followed === undefined ? ["iCCP"] : [];
  return { ...stated, idleChunks: idle.filter((name) => chunks.has(name)) };
}

function statedColor(
  chunks: ReadonlyMap<string, Uint8Array>,
  profile: Uint8Array | undefined,
  isGray: boolean,
): PngColor {
  const cicp = chunks.get("cICP");
  if (cicp?.length === 4) {
    const [primaries = 0, transfer = 0] = cicp;
    if (primaries === CICP.bt709 && transfer === CICP.srgb) return IS_SRGB;
    const color: Color = { kind: "nclx", primaries, transfer, matrix: 0, fullRange: true };
    return { color, colorChunks: ["cICP"] };
  }
  if (profile) return { color: profileColor(profile), colorChunks: ["iCCP"] };
  if (chunks.has("sRGB")) return IS_SRGB;
  const gamma = gammaOf(chunks.get("gAMA"));
  const chromaticities = chromaticitiesOf(chunks.get("cHRM"));
  if (isUsual(gamma) && (isGray || isOfSrgb(chromaticities))) return IS_SRGB;
  // Browsers ignore primaries without an exponent.
  const calibrated = gamma === undefined ? undefined : calibratedProfile({ gamma, chromaticities });
  return { color: calibrated && profileColor(calibrated), colorChunks: ["gAMA", "cHRM"] };
}

function gammaOf(chunk: Uint8Array | undefined): number | undefined {
  const gamma = chunk?.length === 4 ? uint32(chunk, 0) / 100_000 : 0;
  return gamma === 0 ? undefined : gamma;
}

/** Reads x and y of white, red, green and blue (PNG 3, 11.3.2.1). */
function chromaticitiesOf(chunk: Uint8Array | undefined): Chromaticities | undefined {
  if (chunk?.length !== 32) return undefined;
  const pointAt = (at: number) => [uint32(chunk, at) / 100_000, uint32(chunk, at + 4) / 100_000] as const;
  return [pointAt(8), pointAt(16), pointAt(24), pointAt(0)];
}

/** Whether an exponent looks like that of sRGB. True without an exponent. */
function isUsual(gamma: number = SRGB_EXPONENT): boolean {
  return Math.abs(gamma - SRGB_EXPONENT) < SAME_EXPONENT;
}

function isOfSrgb(chromaticities: Chromaticities = SRGB): boolean {
  const wanted = SRGB.flat();
  return chromaticities.flat().every((value, index) => Math.abs(value - (wanted[index] ?? 0)) < SAME_POINT);
}

/**
 * Returns the profile in an iCCP chunk: a name of at most 79 characters, a zero, a method, and the compressed profile.
 * Ignores a profile with a wrong checksum, as browsers do.
 */
function profileOf(chunk: Uint8Array | undefined): Uint8Array | undefined {
  const end = chunk?.indexOf(0) ?? -1;
  if (chunk === undefined || end < 1 || end > 79 || chunk[end + 1] !== 0) return undefined;
  const profile = inflateAtMost(chunk.subarray(end + 2), LONGEST_PROFILE);
  if (profile === undefined || profile === "too long") return undefined;
  return adler32(profile) === uint32(chunk, chunk.length - 4) ? profile : undefined;
}
