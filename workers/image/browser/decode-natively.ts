import { ServiceError } from "../../../src/shared/errors.ts";
import { bitmapValues } from "./canvas.ts";
import { canvasReadback } from "./canvas-readback.ts";
import { memoizeAsync } from "./memoize-async.ts";

/**
 * Decodes a file with the browser's decoder. The browser applies the orientation of a JPEG, and the color profile of
 * every format.
 *
 * @param keepValues decodes without converting colors
 * @throws {ServiceError} `damaged_file`; `unsupported_conversion` when the canvas cannot be read, so that the bitmap
 *   would be useless
 */
export async function decodeNatively(file: Blob, type: string, keepValues = false): Promise<ImageBitmap> {
  const name = type.replace("image/", "").toUpperCase();
  if (!(await canvasReadback("closely"))) throw onlyForTheBrowser(name);
  try {
    return await createImageBitmap(file.slice(0, file.size, type), {
      colorSpaceConversion: keepValues ? "none" : "default",
    });
  } catch (thrown) {
    if (!(thrown instanceof DOMException) || /memory|allocat/i.test(thrown.message)) throw thrown;
    throw cannotBeDecoded(name);
  }
}

/** Returns the error for a picture that no decoder can read. */
export function cannotBeDecoded(format: string): ServiceError {
  return new ServiceError(
    "damaged_file",
    `The ${format} image cannot be decoded: it is cut off or damaged. Try another copy of it.`,
  );
}

/**
 * Returns the error for a picture that only the browser can decode, when its canvas cannot be read: see
 * canvas-readback.ts.
 */
export function onlyForTheBrowser(format: string): ServiceError {
  return new ServiceError(
    "unsupported_conversion",
    `Only the browser can decode this ${format} image, but it gives web pages noise instead of pictures, as a protection ` +
      "from fingerprinting. Allow this site to read canvas data, or use another browser.",
  );
}

/** Decodes a small file that is embedded in the code. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

/** A PNG of one gray pixel with a gamma of 1. A color conversion makes it much brighter. */
const LINEAR_GRAY = {
  value: 128,
  png: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAABGdBTUEAAYagMeiWXwAAAApJREFUeJxjaAAAAIIAgXfNcrYAAAAASUVORK5CYII=",
};
const keptValue = memoizeAsync(async () => {
  const bitmap = await decodeNatively(new Blob([fromBase64(LINEAR_GRAY.png)]), "image/png", true);
  const [value = 0] = bitmapValues(bitmap);
  bitmap.close();
  return value;
});

/** Whether the browser can decode without converting colors. Some browsers always convert. */
export function canKeepValues(): Promise<boolean> {
  return keptValue().then(
    (value) => Math.abs(value - LINEAR_GRAY.value) <= 1,
    // The probe failed. Conversion works in every browser.
    () => false,
  );
}
