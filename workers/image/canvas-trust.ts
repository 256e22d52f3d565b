import { outOfMemory } from "../../src/failure.ts";
import { encodedInTime } from "./encoder-patience.ts";

/** Of a smaller canvas, all values might be among those that are left as they are. */
const SIDE = 64;
/** In steps of 255: no more than lossy formats change. */
const CLOSE = 3;

let furthest: Promise<number> | undefined;

/**
 * Whether the browser gives back what is on a canvas, or in a bitmap that is drawn there, as values and as a file. Some
 * protect people from being recognised by how their browser draws, and say nothing: they change a lowest bit here and
 * there, which is not exact any more (Brave), or give noise (Firefox with `privacy.resistFingerprinting`, as Tor Browser,
 * Mullvad Browser and LibreWolf have it). It is tried once.
 */
export async function givesBack(how: "exactly" | "closely"): Promise<boolean> {
  furthest ??= largestChange().catch((thrown: unknown) => {
    // It may have been for want of memory.
    furthest = undefined;
    throw thrown;
  });
  return (await furthest) <= (how === "exactly" ? 0 : CLOSE);
}

async function largestChange(): Promise<number> {
  const values = gradient();
  const canvas = new OffscreenCanvas(SIDE, SIDE);
  const read = drawnAndRead(await createImageBitmap(new ImageData(values, SIDE, SIDE)), canvas);
  const file = await encodedInTime(canvas.convertToBlob({ type: "image/png" }), canvas);
  const written = drawnAndRead(await createImageBitmap(file), new OffscreenCanvas(SIDE, SIDE));
  return Math.max(largestDifference(read, values), largestDifference(written, values));
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

/** Draws a bitmap, and ends it. */
function drawnAndRead(bitmap: ImageBitmap, canvas: OffscreenCanvas): Uint8ClampedArray {
  const context = canvas.getContext("2d", { alpha: false, willReadFrequently: true });
  if (context === null) throw outOfMemory();
  context.drawImage(bitmap, 0, 0);
  bitmap.close();
  return context.getImageData(0, 0, SIDE, SIDE).data;
}

function largestDifference(one: Uint8ClampedArray, other: Uint8ClampedArray): number {
  return one.reduce((most, value, at) => Math.max(most, Math.abs(value - (other[at] ?? 0))), 0);
}
