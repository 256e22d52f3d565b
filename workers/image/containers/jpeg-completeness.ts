import type { ByteSource } from "../../pdf/bytes/source.ts";
import type { Jpeg } from "./jpeg.ts";
import type { JpegScans } from "./jpeg-scans.ts";
import { type JpegSegment, MARKER } from "./jpeg-segments.ts";

/** What a scan brings (ITU-T T.81, B.2.3). */
interface Scan {
  /** By their names. */
  readonly components: readonly number[];
  /** Of each block, the first and the last coefficient. */
  readonly first: number;
  readonly last: number;
  /** So many of their lowest bits are left to later scans. */
  readonly missingBits: number;
}

const PROGRESSIVE: readonly number[] = [0xc2, 0xc6, 0xca, 0xce];
/** Of a block. */
const COEFFICIENTS = 64;
const MOST_COMPONENTS = 4;

/**
 * Whether scans hold all of a picture, as far as their headers tell: all components, and of a progressive one, every
 * coefficient to its last bit (ITU-T T.81, G.1.1.1). A sound file may do without its finest scans; it ends with an end
 * marker.
 */
export function holdsAllValues(source: ByteSource, { frame }: Jpeg, { segments }: JpegScans): boolean {
  const scans = segments.filter(({ marker }) => marker === MARKER.SOS).map((one) => scanOf(source, one));
  return frame.components.every((component) => {
    const own = scans.filter(({ components }) => components.includes(component));
    return PROGRESSIVE.includes(frame.process) ? bringAllBits(own) : own.length > 0;
  });
}

function bringAllBits(scans: readonly Scan[]): boolean {
  const missing: number[] = new Array(COEFFICIENTS).fill(Infinity);
  for (const { first, last, missingBits } of scans) missing.fill(missingBits, first, last + 1);
  return missing.every((bits) => bits === 0);
}

function scanOf(source: ByteSource, { start }: JpegSegment): Scan {
  const [count = 0, ...rest] = source.read(start + 4, start + 4 + 1 + 2 * MOST_COMPONENTS + 3);
  const components = Array.from({ length: Math.min(count, MOST_COMPONENTS) }, (_, at) => rest[2 * at] ?? 0);
  const [first = 0, last = 0, bits = 0] = rest.slice(2 * components.length);
  return { components, first, last, missingBits: bits & 15 };
}
