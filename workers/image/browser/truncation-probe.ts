import { ServiceError } from "../../../src/shared/errors.ts";
import { memoizeAsync } from "../memoize-async.ts";
import { fromBase64 } from "./base64.ts";
import { contextOf, newCanvas } from "./canvas.ts";
import { decodeNatively } from "./decode-natively.ts";

/** PNGs of two rows. The second row has an unknown filter type, or is in an unknown type of Deflate block. */
const DAMAGED = [
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAACCAAAAAC86un7AAAADElEQVR42mNo4GwAAAIWAQrcy/ETAAAAAElFTkSuQmCC",
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAACCAAAAAC86un7AAAAEElEQVR4nGJIAQAAAP//BwAAAAAAUbT5ZwAAAABJRU5ErkJggg==",
];

/**
 * Whether the browser may have left out rows of a damaged file: it decodes damaged files without an error, and the
 * last row has a single color, as missing rows have.
 */
export async function mayLackRows(bitmap: ImageBitmap): Promise<boolean> {
  if (!(await overlooksDamage())) return false;
  const { width, height } = bitmap;
  const canvas = newCanvas(width, 1, (context) => context.drawImage(bitmap, 0, 1 - height));
  const { data } = contextOf(canvas).getImageData(0, 0, width, 1);
  return data.every((value, at) => value === data[at & 3]);
}

/** Whether the browser decodes some damaged PNGs without an error. */
export const overlooksDamage = memoizeAsync(async () => {
  const overlooked = await Promise.all(DAMAGED.map(isDecoded));
  return overlooked.includes(true);
});

async function isDecoded(png: string): Promise<boolean> {
  try {
    (await decodeNatively(new Blob([fromBase64(png)]), "image/png")).close();
    return true;
  } catch (thrown) {
    if (thrown instanceof ServiceError && thrown.code === "damaged_file") return false;
    throw thrown;
  }
}
