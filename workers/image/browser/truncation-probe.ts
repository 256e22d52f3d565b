import { ServiceError } from "../../../src/shared/errors.ts";
import { memoizeAsync } from "../../io/memoize-async.ts";
import { fromBase64 } from "./base64.ts";
import { contextOf, newCanvas } from "./canvas.ts";
import { decodeNatively } from "./decode-natively.ts";

/** PNGs of two rows: the second has a filter that does not exist, or is compressed in a way that does not exist. */
const DAMAGED = [
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAACCAAAAAC86un7AAAADElEQVR42mNo4GwAAAIWAQrcy/ETAAAAAElFTkSuQmCC",
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAACCAAAAAC86un7AAAAEElEQVR4nGJIAQAAAP//BwAAAAAAUbT5ZwAAAABJRU5ErkJggg==",
];

/**
 * Whether rows may be missing of what the browser has decoded: it overlooks damage, and the last row is all one color,
 * as those are that it leaves out.
 */
export async function mayLackRows(bitmap: ImageBitmap): Promise<boolean> {
  if (!(await overlooksDamage())) return false;
  const { width, height } = bitmap;
  const canvas = newCanvas(width, 1, (context) => context.drawImage(bitmap, 0, 1 - height));
  const { data } = contextOf(canvas).getImageData(0, 0, width, 1);
  return data.every((value, at) => value === data[at & 3]);
}

/** Whether the browser makes a picture of what it could read of a damaged PNG, and says nothing: some do of some damage. */
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
