import { memoizeAsync } from "../../io/memoize-async.ts";
import { calibratedProfile, pointsOf } from "../color/calibrated-profile.ts";
import { planColor } from "../color/color-description.ts";
import { DISPLAY_P3 } from "../color/rgb-spaces.ts";
import { withPngMetadata } from "../formats/png/write-metadata.ts";
import type { Color } from "../isobmff/properties.ts";
import { fromBase64 } from "./base64.ts";
import { bitmapPicture, canKeepValues, decodeNatively, pixelsOf } from "./canvas.ts";

/** A PNG of four pixels, and what they are in sRGB when they are of Display P3: a red, a green, a blue, a gray. */
const FOUR_PIXELS =
  "iVBORw0KGgoAAAANSUhEUgAAAAQAAAABCAIAAAB2XpiaAAAAFUlEQVR42mM4EWDTtC/PLepESkoKACWXBZfp17ANAAAAAElFTkSuQmCC";
const IN_SRGB = [
  [216, 69, 50],
  [111, 192, 100],
  [64, 91, 207],
  [100, 100, 100],
];
/** Browsers convert by tables of their own. */
const TOLERANCE = 3;
/** Of more brightness than a screen's white (ITU-T H.273, table 3: PQ and HLG). */
const BRIGHT_CURVES: readonly number[] = [16, 18];

const convertsToSrgb = memoizeAsync(makesSrgb);

/**
 * Whether files of such colors are to be decoded as they are, and converted here: where the browser does not make sRGB
 * of what files say. Firefox makes the screen's colors of it where it knows the screen's profile, or nothing where it
 * is told to. Profiles of tables and curves of more brightness are the browser's to follow all the same.
 *
 * @param color what the file says; nothing for one that says nothing, where Firefox takes it for sRGB and converts it
 *   for the screen: a BMP or an AVIF
 */
export async function isConvertedHere(color: Color | undefined): Promise<boolean> {
  // Where nothing is known of it, this job trusts the browser, as most may be.
  const isBrowsers = await convertsToSrgb().catch(() => true);
  return !isBrowsers && isKnownHere(color) && (await canKeepValues());
}

function isKnownHere(color: Color | undefined): boolean {
  if (color?.kind === "nclx") return !BRIGHT_CURVES.includes(color.transfer);
  return planColor(color) !== "tables";
}

/** Whether pixels of Display P3 come out as what they are in sRGB. */
async function makesSrgb(): Promise<boolean> {
  const icc = calibratedProfile({ gamma: "sRGB", chromaticities: pointsOf(DISPLAY_P3) });
  const bitmap = await decodeNatively(withPngMetadata(fromBase64(FOUR_PIXELS), { icc }), "image/png");
  const made = pixelsOf(bitmapPicture(bitmap, false));
  bitmap.close();
  return IN_SRGB.every((pixel, index) =>
    pixel.every((value, channel) => Math.abs(value - (made[4 * index + channel] ?? 0)) <= TOLERANCE),
  );
}
