import { outOfMemory } from "../../../src/shared/failure.ts";
import { memoizeAsync } from "../../io/memoize-async.ts";

/** Of a smaller canvas, all values might be among those that are left as they are. */
const SIDE = 64;
/** In steps of 255: no more than lossy formats change. */
const CLOSE = 3;

const furthestValue = memoizeAsync(largestChange);

/**
 * Whether the browser gives back what is on a canvas, or in a bitmap that is drawn there. Some protect people from being
 * recognized by how their browser draws, and say nothing: they change a lowest bit here and there, which is not exact any
 * more (Brave), or give noise (Firefox with `privacy.resistFingerprinting`, as Tor Browser, Mullvad Browser and LibreWolf
 * have it). What holds for values, which are tried, once, holds for files, too.
 */
export async function canvasReadback(how: "exactly" | "closely"): Promise<boolean> {
  return (await furthestValue()) <= (how === "exactly" ? 0 : CLOSE);
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

/** Opaque, with the lowest bits of all kinds. */
function gradient(): Uint8ClampedArray<ArrayBuffer> {
  const values = new Uint8ClampedArray(4 * SIDE * SIDE);
  for (let at = 0, pixel = 0; at < values.length; at += 4, pixel++) {
    const [x, y] = [pixel % SIDE, Math.floor(pixel / SIDE)];
    values.set([20 + 3 * x, 220 - 3 * y, 30 + x + 2 * y, 255], at);
  }
  return values;
}
