import { canvasReadback } from "./browser/canvas-readback.ts";
import { canKeepValues } from "./browser/decode-natively.ts";
import type { Color } from "./color/color.ts";
import { convertsToSrgb } from "./color/color-management-probe.ts";
import type { BrowserTraits } from "./decide.ts";

/**
 * Returns what this browser can do with an image. Each probe runs once.
 *
 * @param color the color space of the image. Without one, no probe of colors runs, because there is nothing to convert
 */
export async function thisBrowser(color: Color | undefined): Promise<BrowserTraits> {
  const readback = (await canvasReadback("exactly"))
    ? "exact"
    : (await canvasReadback("closely"))
      ? "close"
      : "noise";
  if (color === undefined || readback === "noise")
    return { readback, canKeepValues: true, convertsToSrgb: true };
  return {
    readback,
    canKeepValues: await canKeepValues(),
    // If the probe fails, the browser is trusted for this job.
    convertsToSrgb: await convertsToSrgb().catch(() => true),
  };
}
