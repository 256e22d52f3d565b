import { uint16 } from "../../../io/big-endian.ts";
import type { ByteSource } from "../../../io/source.ts";
import type { Size } from "../../picture/size.ts";
import { type JpegApplicationData, readApplicationData } from "./application-data.ts";
import {
  bodyOf,
  damagedJpeg,
  isFrame,
  type JpegSegment,
  MARKER,
  MOST_SEGMENTS,
  nextSegment,
} from "./segments.ts";

/** How the pixels are coded (ITU-T T.81, B.2.2). */
interface JpegFrame {
  /** The marker: 0xc0 baseline, 0xc1 extended, 0xc2 progressive. Others are rare. */
  readonly process: number;
  /** Bits per sample. */
  readonly precision: number;
  /** The identifiers of the components. */
  readonly components: readonly number[];
  /** The sampling factors of the components: horizontal in the upper half of a byte, vertical in the lower. */
  readonly samplings: readonly number[];
}

/** The headers of a JPEG: everything before its first scan. The size is as stored, before any rotation. */
export interface Jpeg extends JpegApplicationData, Size {
  readonly frame: JpegFrame;
  /** All segments before the first scan. */
  readonly segments: readonly JpegSegment[];
  /** The start of the first scan. */
  readonly scans: number;
}

/**
 * Reads a JPEG up to its first scan.
 *
 * @throws {ServiceError} `damaged_file`
 */
export function readJpeg(source: ByteSource): Jpeg {
  if (uint16(source.read(0, 2), 0) !== 0xff00 + MARKER.SOI) throw damagedJpeg("it does not begin as one");
  const segments: JpegSegment[] = [];
  let next = nextSegment(source, 2);
  while (next !== undefined && next.marker !== MARKER.SOS && next.marker !== MARKER.EOI) {
    segments.push(next);
    if (segments.length > MOST_SEGMENTS) throw damagedJpeg("it has too many segments");
    next = nextSegment(source, next.end);
  }
  if (next?.marker !== MARKER.SOS) throw damagedJpeg("it holds no picture");
  const frameHeader = segments.find(({ marker }) => isFrame(marker));
  if (frameHeader === undefined) throw damagedJpeg("the header states no size");
  const header = bodyOf(source, frameHeader);
  const frame = frameOf(frameHeader.marker, header);
  const [height, width] = [uint16(header, 1), uint16(header, 3)];
  if (width === 0 || height === 0) throw damagedJpeg("it has no pixels");
  return { width, height, frame, segments, scans: next.start, ...readApplicationData(source, segments) };
}

/** The processes that are not sequential or progressive DCT with Huffman coding (ITU-T T.81, Table B.1), and JPEG-LS. */
const RARE_PROCESSES: Readonly<Record<number, string>> = {
  195: "lossless",
  197: "hierarchical",
  198: "hierarchical",
  199: "hierarchical",
  201: "arithmetic coding",
  202: "arithmetic coding",
  203: "lossless",
  205: "hierarchical",
  206: "hierarchical",
  207: "hierarchical",
  [MARKER.JPEG_LS]: "JPEG-LS",
};

/** Returns the name of a kind of JPEG that few decoders read. Returns undefined for the usual kinds. */
export function rareKind({ frame: { process, precision } }: Jpeg): string | undefined {
  return RARE_PROCESSES[process] ?? (precision === 8 ? undefined : `${precision}-bit`);
}

/** Whether a segment holds tables or the restart interval, which a decoder needs before a scan. */
export function isTable(marker: number, { process }: JpegFrame): boolean {
  const { DHT, DAC, DQT, DRI, JPG } = MARKER;
  const isArithmetic = process > JPG && process !== MARKER.JPEG_LS;
  return marker === DHT || marker === DQT || marker === DRI || (marker === DAC && isArithmetic);
}

function frameOf(process: number, header: Uint8Array): JpegFrame {
  const count = header[5] ?? 0;
  if (count === 0 || header.length < 6 + 3 * count) throw damagedJpeg("its size cannot be read");
  const bytesAt = (offset: number) =>
    Array.from({ length: count }, (_, index) => header[offset + 3 * index] ?? 0);
  return { process, precision: header[0] ?? 0, components: bytesAt(6), samplings: bytesAt(7) };
}
