import type { Scratch } from "../../support/native-tools.ts";
import { vipsWrite } from "./native-decode.ts";
import { differenceOf, onWhite, type Raster } from "./raster.ts";
import type { ImageTarget } from "./subject.ts";

/** The limit of the mean difference for lossy formats, from 0 to 255. */
const LOSSY_LIMIT = 3;
/** When libvips loses more, an output may differ this many times as much as that of libvips. */
const AS_GOOD_AS_NATIVE = 1.1;

/** The result of a comparison. */
export interface Verdict {
  /** Why the picture differs. Empty when it does not. */
  readonly problem: string;
  /** Whether it is over the limit and passes only because libvips loses as much. */
  readonly isExcused: boolean;
}

export const SAME: Verdict = { problem: "", isExcused: false };

export function different(problem: string): Verdict {
  return { problem, isExcused: false };
}

/**
 * Whether a picture is close enough to the native one.
 *
 * @param allowed the largest difference of any value; undefined where only the mean counts
 */
export async function compare(
  made: Raster,
  native: Raster,
  to: ImageTarget,
  allowed: number | undefined,
  scratch: Scratch,
): Promise<Verdict> {
  const keepsAlpha = to !== "jpg" && to !== "pdf";
  const onPaper = onWhite(native);
  const seen = () => differenceOf(onWhite(made), onPaper, 3);
  if (allowed !== undefined) {
    const { largest, mean } = keepsAlpha ? differenceOf(made, native, 4) : seen();
    return largest <= allowed
      ? SAME
      : different(`differs by up to ${largest}, ${mean.toFixed(3)} on average`);
  }
  const { mean } = seen();
  const isExcused = mean >= LOSSY_LIMIT;
  if (isExcused) {
    // Lossy formats cannot represent some pictures, such as saturated icons of a few pixels.
    const loss = await nativeLoss(onPaper, to, scratch);
    if (mean > AS_GOOD_AS_NATIVE * loss) {
      return different(`differs by ${mean.toFixed(2)} on average, libvips' own by ${loss.toFixed(2)}`);
    }
  }
  const alpha = keepsAlpha ? alphaDifference(made, native) : 0;
  return alpha < LOSSY_LIMIT
    ? { problem: "", isExcused }
    : different(`alpha differs by ${alpha.toFixed(2)} on average`);
}

/** The difference that libvips itself causes when it writes the picture in that format with its default settings. */
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
