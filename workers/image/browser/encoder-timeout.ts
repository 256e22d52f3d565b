import { afterActiveTime } from "../../../src/shared/active-time.ts";
import type { ServiceError } from "../../../src/shared/errors.ts";
import { internalError } from "../../../src/shared/failure.ts";

const SHORTEST_MS = 60_000;
/** About 70 times what Chromium takes for a PNG on a small server. */
const MS_OF_MEGAPIXEL = 5_000;
const MEGAPIXEL = 1_000_000;

/**
 * Waits for the encoder of the browser, for a limited time. Without the limit, a worker with an encoder that hangs
 * would look busy.
 *
 * @throws {ServiceError} `internal_error` when the encoder does not answer. The worker is then replaced.
 */
export async function encodedInTime(
  encoding: Promise<Blob>,
  { width, height }: { readonly width: number; readonly height: number },
): Promise<Blob> {
  const longest = SHORTEST_MS + (MS_OF_MEGAPIXEL * width * height) / MEGAPIXEL;
  let stopClock = () => {};
  const timeout = new Promise<never>((_, reject) => {
    stopClock = afterActiveTime(longest, () => reject(encoderTimedOut(longest)));
  });
  try {
    return await Promise.race([encoding, timeout]);
  } finally {
    stopClock();
  }
}

function encoderTimedOut(milliseconds: number): ServiceError {
  return internalError(
    "The picture was not written in time. Try again.",
    `The encoder of the canvas did not answer in ${Math.round(milliseconds / 1000)} s.`,
  );
}
