import { ServiceError } from "../../../../src/shared/errors.ts";
import type { Size } from "../../picture/size.ts";
import type { JpegScans } from "./scans.ts";
import { MARKER } from "./segments.ts";

/** The number of scans that a picture of any size may have. Usual encoders write ten. */
const ALWAYS_ALLOWED = 32;
/** The most pixels in all scans of a picture with more scans. A decoder takes 1 to 6 s for them. */
const MOST_PIXELS = 500_000_000;

/**
 * Refuses a JPEG before it is decoded when decoding its scans would take minutes. A decoder visits each block in each
 * scan, even when a few bytes of the scan say that thousands of blocks do not change.
 *
 * @throws {ServiceError} `input_too_large`, with both numbers of scans
 */
export function checkScans({ width, height }: Size, { segments }: JpegScans): void {
  const scans = segments.filter(({ marker }) => marker === MARKER.SOS).length;
  const most = Math.max(ALWAYS_ALLOWED, Math.floor(MOST_PIXELS / (width * height)));
  if (scans <= most) return;
  throw new ServiceError(
    "input_too_large",
    `The JPEG image takes too long to decode: it has ${scans} scans, and at its size it may have ${most}. Save it again ` +
      'in an image editor, without "progressive".',
    { scans, largest_scans: most },
  );
}
