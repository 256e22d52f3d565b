import type { ExactPicture } from "./exact-picture.ts";

/** In a photograph, a smaller share of pixels equals the one before. docs/decisions/compress-pdf.md has the figures. */
const MOST_EQUAL = 0.5;
/** One of so many rows is looked at. */
const ROW_STEP = 4;

/**
 * Returns whether a picture is a photograph: whether fewer than half of its pixels equal their neighbor on the left.
 * Sensors and scanners give each pixel some noise. Drawings, screenshots and text have flat areas, and JPEG blurs their edges.
 */
export function isPhotograph(picture: ExactPicture): boolean {
  const { width, height } = picture;
  const values = picture.layout === "gray" ? picture.samples : new Uint32Array(picture.pixels.buffer);
  let equal = 0;
  let compared = 0;
  for (let y = 0; y < height; y += ROW_STEP) {
    const end = (y + 1) * width;
    for (let at = y * width + 1; at < end; at++) if (values[at] === values[at - 1]) equal++;
    compared += width - 1;
  }
  return compared > 0 && equal < MOST_EQUAL * compared;
}
