import { ServiceError } from "../../../../src/shared/errors.ts";
import type { ByteSource } from "../../../io/source.ts";
import type { Jpeg } from "./read-jpeg.ts";
import { componentsOfScan, type JpegScans } from "./scans.ts";
import { type JpegSegment, MARKER } from "./segments.ts";

/** The width and the height of a block, in samples. */
const BLOCK = 8;
/**
 * The largest number of scans that may code a block, on average. Usual encoders code each block five or six
 * times. At the limit, Chromium converts 256 megapixels to PNG in at most 1.5 times the time that it takes
 * with two scans.
 */
const MOST_VISITS = 16;
/** The number of coded blocks that every picture may have. A decoder takes 1 to 6 s for them. */
const ALWAYS_ALLOWED = 20_000_000;

/**
 * Returns the total number of blocks in some scans (ITU-T T.81, A.2). A decoder visits each block, even when
 * a few bytes of a scan say that thousands of blocks do not change.
 */
export function codedBlocks(source: ByteSource, jpeg: Jpeg, scans: readonly JpegSegment[]): number {
  return scans.reduce((sum, scan) => sum + blocksOf(jpeg, componentsOfScan(source, scan)), 0);
}

/**
 * Refuses a JPEG before it is decoded when decoding its scans would take minutes.
 *
 * @throws {ServiceError} `input_too_large`, with the numbers
 */
export function checkScans(source: ByteSource, jpeg: Jpeg, { segments }: JpegScans): void {
  const scans = segments.filter(({ marker }) => marker === MARKER.SOS);
  const blocks = codedBlocks(source, jpeg, scans);
  const limit = Math.max(ALWAYS_ALLOWED, MOST_VISITS * blocksOf(jpeg, jpeg.frame.components));
  if (blocks <= limit) return;
  throw new ServiceError(
    "input_too_large",
    `The JPEG image takes too long to decode: its ${scans.length} scans hold ${millions(blocks)} million blocks, and ` +
      `may hold ${millions(limit)} million. Save it again in an image editor, without "progressive".`,
    { scans: scans.length, blocks, largest_blocks: limit },
  );
}

/**
 * Returns the number of blocks of some components in one scan. Interleaved components are padded to whole
 * MCUs (A.2.2 and A.2.3).
 */
function blocksOf({ width, height, frame }: Jpeg, components: readonly number[]): number {
  const factors = frame.samplings.map((sampling) => ({
    across: Math.max(1, sampling >> 4),
    down: Math.max(1, sampling & 15),
  }));
  const most = {
    across: Math.max(...factors.map(({ across }) => across)),
    down: Math.max(...factors.map(({ down }) => down)),
  };
  const units = Math.ceil(width / (BLOCK * most.across)) * Math.ceil(height / (BLOCK * most.down));
  const isInterleaved = components.length > 1;
  return components.reduce((sum, name) => {
    const own = factors[frame.components.indexOf(name)];
    if (own === undefined) return sum;
    const { across, down } = own;
    return isInterleaved
      ? sum + units * across * down
      : sum +
          Math.ceil((width * across) / (BLOCK * most.across)) *
            Math.ceil((height * down) / (BLOCK * most.down));
  }, 0);
}

function millions(count: number): string {
  return (count / 1e6).toFixed(1);
}
