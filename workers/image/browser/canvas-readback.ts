import { outOfMemory } from "../../../src/shared/failure.ts";
import { memoizeAsync } from "./memoize-async.ts";

/**
 * The side of the test canvas. Browsers that change values leave some unchanged. A smaller canvas might have only such
 * values.
 */
const SIDE = 64;
/** The largest change that counts as close, in steps of 255. Lossy formats change values as much. */
const CLOSE = 3;

const measuredChange = memoizeAsync(largestChange);

/**
 * Whether a canvas returns the values that were drawn on it. Some browsers change values without an error, so that
 * sites cannot recognize people by how their browser draws. Brave changes the lowest bits. Firefox with
 * `privacy.resistFingerprinting` returns noise, as do Tor Browser, Mullvad Browser and LibreWolf. The probe runs once.
 * Its result holds for decoded files, too.
 */
export async function canvasReadback(how: "exactly" | "closely"): Promise<boolean> {
  return (await measuredChange()) <= (how === "exactly" ? 0 : CLOSE);
}

async function largestChange(): Promise<number> {
  const values = gradient();
  const bitmap = await createImageBitmap(new ImageData(values, SIDE, SIDE));
  const context = new OffscreenCanvas(SIDE, SIDE).getContext("2d", { willReadFrequently: true });
  if (context === null) throw outOfMemory();
  context.drawImage(bitmap, 0, 0);
  bitmap.close();
  const { data } = context.getImageData(0, 0, SIDE, SIDE);
  return data.reduce((most, value, at) => Math.max(most, Math.abs(value - (values[at] ?? 0))), 0);
}

/** Opaque values with lowest bits of all kinds. */
function gradient(): Uint8ClampedArray<ArrayBuffer> {
  const values = new Uint8ClampedArray(4 * SIDE * SIDE);
  for (let at = 0, pixel = 0; at < values.length; at += 4, pixel++) {
    const [x, y] = [pixel % SIDE, Math.floor(pixel / SIDE)];
    values.set([20 + 3 * x, 220 - 3 * y, 30 + x + 2 * y, 255], at);
  }
  return values;
}
