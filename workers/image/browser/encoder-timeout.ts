import { afterActiveTime } from "../../../src/shared/active-time.ts";
import { ServiceError } from "../../../src/shared/errors.ts";
import type { Size } from "../picture/size.ts";

const SHORTEST_MS = 60_000;
/** Some seventy times what Chromium takes for a PNG on a small server. */
const MS_OF_MEGAPIXEL = 5_000;
const MEGAPIXEL = 1_000_000;

/**
 * Waits for the browser's encoder no longer than any takes. Nobody would notice one that never answers: the page sees a
 * worker that is busy.
 *
 * @throws {ServiceError} `internal_error` when it does not answer; the worker is then replaced
 */
export async function encodedInTime(encoding: Promise<Blob>, { width, height }: Size): Promise<Blob> {
  const longest = SHORTEST_MS + (MS_OF_MEGAPIXEL * width * height) / MEGAPIXEL;
  let stopClock = () => {};
  const silence = new Promise<never>((_, reject) => {
    stopClock = afterActiveTime(longest, () => reject(hasFallenSilent(longest)));
  });
  try {
    return await Promise.race([encoding, silence]);
  } finally {
    stopClock();
  }
}

function hasFallenSilent(milliseconds: number): ServiceError {
  return new ServiceError(
    "internal_error",
    `The browser has not finished writing a picture in ${Math.round(milliseconds / 1000)} s: try again.`,
  );
}
