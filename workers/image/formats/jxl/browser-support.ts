import { ServiceError } from "../../../../src/shared/errors.ts";
import { decodeNatively, fromBase64 } from "../../browser/decode-natively.ts";
import { memoizeAsync } from "../../browser/memoize-async.ts";

export const TYPE = "image/jxl";

/** One gray pixel, coded without loss. */
const ONE_PIXEL = "/woAEBBQXAgIAgEALABLGIsVwklBHoAAAA==";

/**
 * Whether the browser decodes JPEG XL, and its canvas returns what was decoded: Chromium from 155 on, Firefox from 158 on and
 * Safari from 17 on.
 */
export const decodesJxl = memoizeAsync(async () => {
  try {
    const bitmap = await decodeNatively(new Blob([fromBase64(ONE_PIXEL)]), TYPE);
    bitmap.close();
    return true;
  } catch (thrown) {
    if (thrown instanceof ServiceError) return false;
    throw thrown;
  }
});
