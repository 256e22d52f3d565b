import { compressSamples } from "./compress-samples.ts";
import type { ExactPicture } from "./exact-picture.ts";

/**
 * Without loss, a photograph takes a larger share of its samples: one bit of eight. docs/decisions/compress-pdf.md has the
 * figures.
 */
const LEAST_SHARE = 1 / 8;
/** One of so many bands of a large picture is compressed. */
const BAND_STEP = 4;
const BAND_ROWS = 16;
const LARGE_PIXELS = 2 ** 19;

/**
 * Returns whether a picture is a photograph: whether compression without loss makes little of its size. Sensors and scanners give
 * each pixel some noise. Drawings, screenshots and text have flat areas, and JPEG blurs their edges.
 */
export async function isPhotograph(picture: ExactPicture): Promise<boolean> {
  const sample = picture.width * picture.height > LARGE_PIXELS ? bandsOf(picture) : picture;
  const samples = (sample.layout === "gray" ? 1 : 3) * sample.width * sample.height;
  return (await compressSamples(sample)).length > LEAST_SHARE * samples;
}

/** Returns a picture of some bands of rows, from top to bottom. */
function bandsOf(picture: ExactPicture): ExactPicture {
  const { width } = picture;
  const rowBytes = picture.layout === "gray" ? width : 4 * width;
  const values = picture.layout === "gray" ? picture.samples : picture.pixels;
  const bands = Math.ceil(Math.floor(picture.height / BAND_ROWS) / BAND_STEP);
  const height = bands * BAND_ROWS;
  const chosen = new Uint8ClampedArray(height * rowBytes);
  const bandBytes = BAND_ROWS * rowBytes;
  for (let band = 0; band < bands; band++) {
    const from = band * BAND_STEP * bandBytes;
    chosen.set(values.subarray(from, from + bandBytes), band * bandBytes);
  }
  return picture.layout === "gray"
    ? { layout: "gray", width, height, samples: new Uint8Array(chosen.buffer) }
    : { layout: "rgba", width, height, pixels: chosen, hasAlpha: false };
}
