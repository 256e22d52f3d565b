import { joined } from "../../joined.ts";
import type { ByteSource } from "../../pdf/bytes/source.ts";
import { isTable, type Jpeg } from "./jpeg.ts";
import { isAdobe, isIcc, isJfif } from "./jpeg-application-data.ts";
import { frameWithHeight } from "./jpeg-content.ts";
import type { JpegScans } from "./jpeg-scans.ts";
import { isFrame, type JpegSegment, MARKER } from "./jpeg-segments.ts";

const SEQUENTIAL: readonly number[] = [0xc0, 0xc1];
const START = Uint8Array.of(0xff, MARKER.SOI);
const END = Uint8Array.of(0xff, MARKER.EOI);

/**
 * A damaged JPEG without what decoders trip over: only what the pixels need, only as far as it makes sense, and an
 * end marker. The whole of it first; then what ends with an earlier scan, for files whose last ones cannot be read.
 *
 * @param most of them
 */
export function* mendedJpegs(
  source: ByteSource,
  jpeg: Jpeg,
  { segments }: JpegScans,
  most: number,
): Generator<Uint8Array<ArrayBuffer>> {
  const needed = segments.filter(({ marker }) => marker === MARKER.SOS || isTable(marker, jpeg.frame));
  const scans = needed.filter(({ marker }) => marker === MARKER.SOS);
  const counting = holdsAll(source, jpeg, scans[0]) ? scans.slice(0, 1) : scans;
  const head = headOf(source, jpeg);
  for (const last of counting.reverse().slice(0, most)) {
    const kept = needed.slice(0, needed.indexOf(last) + 1).map(({ start, end }) => source.read(start, end));
    yield joined([START, ...head, ...kept, END]);
  }
}

/** Whether the picture is all in one scan: decoders then look at no other. */
function holdsAll(source: ByteSource, { frame }: Jpeg, scan: JpegSegment | undefined): boolean {
  if (scan === undefined || !SEQUENTIAL.includes(frame.process)) return false;
  return source.read(scan.start + 4, scan.start + 5)[0] === frame.components.length;
}

/** What decoders look at before the first scan, the picture's colours and its orientation among it. */
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
