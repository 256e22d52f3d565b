import type { Scratch } from "../../native/tools.ts";
import { vipsWrite } from "./native-decode.ts";
import { differenceOf, onWhite, type Raster } from "./raster.ts";
import type { ImageTarget } from "./subject.ts";

/** Where something is lost, the mean difference in steps of 255 must stay below this. */
const LOSSY_LIMIT = 3;

/**
 * Why a picture is too far from the native one; empty when it is not.
 *
 * @param allowed the largest difference of any value; undefined where only the mean counts
 */
export async function compare(
  made: Raster,
  native: Raster,
  to: ImageTarget,
  allowed: number | undefined,
  scratch: Scratch,
): Promise<string> {
  const keepsAlpha = to !== "jpg" && to !== "pdf";
  const seen = differenceOf(onWhite(made), onWhite(native), 3);
  if (allowed !== undefined) {
    const { largest, mean } = keepsAlpha ? differenceOf(made, native, 4) : seen;
    return largest <= allowed ? "" : `differs by up to ${largest}, ${mean.toFixed(3)} on average`;
  }
  if (seen.mean >= LOSSY_LIMIT) {
    // Some pictures are beyond what lossy formats can do: saturated icons of a few pixels.
    const loss = await nativeLoss(onWhite(native), to, scratch);
    if (seen.mean > loss) {
      return `differs by ${seen.mean.toFixed(2)} on average, libvips' own by ${loss.toFixed(2)}`;
    }
  }
  if (!keepsAlpha) return "";
  const alpha = alphaDifference(made, native);
  return alpha < LOSSY_LIMIT ? "" : `alpha differs by ${alpha.toFixed(2)} on average`;
}

/** How much libvips itself loses when it writes the picture in that format, with its own settings. */
async function nativeLoss(raster: Raster, to: ImageTarget, scratch: Scratch): Promise<number> {
  if (to === "pdf" || to === "png") return 0;
  const written = await vipsWrite(raster, to, scratch);
  return written === undefined ? 0 : differenceOf(written, raster, 3).mean;
}

function alphaDifference(one: Raster, other: Raster): number {
  let sum = 0;
  for (let at = 3; at < one.rgba.length; at += 4) {
    sum += Math.abs((one.rgba[at] ?? 0) - (other.rgba[at] ?? 0));
  }
  return sum / (one.rgba.length / 4);
}
