import { concatBytes } from "../../../io/concat-bytes.ts";
import type { ByteSource } from "../../../io/source.ts";
import { isAdobe, isIcc, isJfif } from "./application-data.ts";
import { frameWithHeight } from "./content.ts";
import { codedBlocks, mostCodedBlocks } from "./decoding-cost.ts";
import { isTable, type Jpeg } from "./read-jpeg.ts";
import { isInOneScan, type JpegScans } from "./scans.ts";
import { isFrame, type JpegSegment, MARKER } from "./segments.ts";

const START = Uint8Array.of(0xff, MARKER.SOI);
const END = Uint8Array.of(0xff, MARKER.EOI);

/**
 * Generates repaired copies of a damaged JPEG. Each copy holds only the segments that the pixels need, up to
 * the damage, and an end marker. The first copy holds all scans. Each further copy ends one scan earlier, for
 * files whose last scans cannot be read.
 *
 * Limits the copies together to the blocks that one JPEG may have, so that decoding them takes no longer than
 * decoding one JPEG.
 *
 * @param most the largest number of copies
 */
export function* repairedJpegs(
  source: ByteSource,
  jpeg: Jpeg,
  { segments }: JpegScans,
  most: number,
): Generator<Uint8Array<ArrayBuffer>> {
  const needed = segments.filter(({ marker }) => marker === MARKER.SOS || isTable(marker, jpeg.frame));
  const scans = needed.filter(({ marker }) => marker === MARKER.SOS);
  const [first] = scans;
  const counting = first && isInOneScan(source, jpeg, first.start) ? [first] : scans;
  const head = headOf(source, jpeg);
  const limit = mostCodedBlocks(jpeg);
  let blocks = 0;
  for (const [index, last] of counting.toReversed().slice(0, most).entries()) {
    blocks += codedBlocks(source, jpeg, counting.slice(0, counting.length - index));
    if (index > 0 && blocks > limit) return;
    const kept = needed.slice(0, needed.indexOf(last) + 1).map(({ start, end }) => source.read(start, end));
    yield concatBytes([START, ...head, ...kept, END]);
  }
}

/** Returns what decoders need before the first scan, with the color space and the orientation. */
function headOf(source: ByteSource, jpeg: Jpeg): Uint8Array[] {
  const first = jpeg.segments.find(({ marker }) => isFrame(marker));
  const isNeeded = (segment: JpegSegment) =>
    isTable(segment.marker, jpeg.frame) ||
    segment.marker === MARKER.APP1 ||
    isJfif(source, segment) ||
    isIcc(source, segment) ||
    isAdobe(source, segment);
  return jpeg.segments.flatMap((segment) => {
    if (segment === first) return [frameWithHeight(source, jpeg, segment)];
    return isNeeded(segment) ? [source.read(segment.start, segment.end)] : [];
  });
}
