import { ServiceError } from "../../src/errors.ts";
import { askedOnce } from "./asked-once.ts";
import { fromBase64 } from "./base64.ts";
import { decodeNatively } from "./canvas.ts";

/** PNGs of two rows: the second has a filter that does not exist, or is compressed in a way that does not exist. */
const DAMAGED = [
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAACCAAAAAC86un7AAAADElEQVR42mNo4GwAAAIWAQrcy/ETAAAAAElFTkSuQmCC",
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAACCAAAAAC86un7AAAAEElEQVR4nGJIAQAAAP//BwAAAAAAUbT5ZwAAAABJRU5ErkJggg==",
];

/** Whether the browser makes a picture of what it could read of a damaged PNG, and says nothing: some do of some damage. */
export const overlooksDamage = askedOnce(async () => {
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
