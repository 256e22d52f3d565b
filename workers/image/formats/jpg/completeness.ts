import type { ByteSource } from "../../../io/source.ts";
import type { Jpeg } from "./read-jpeg.ts";
import { type JpegScans, readScanHeader, type ScanHeader } from "./scans.ts";
import { MARKER } from "./segments.ts";

const PROGRESSIVE: readonly number[] = [0xc2, 0xc6, 0xca, 0xce];
/** In a block. */
const COEFFICIENTS = 64;

/**
 * Whether scans hold a whole picture, as far as their headers tell: all components, and every bit of every coefficient
 * of a progressive picture (ITU-T T.81, G.1.1.1). A sound file may lack its finest scans, but has an end marker.
 */
export function holdsAllValues(source: ByteSource, { frame }: Jpeg, { segments }: JpegScans): boolean {
  const scans = segments
    .filter(({ marker }) => marker === MARKER.SOS)
    .map((one) => readScanHeader(source, one));
  return frame.components.every((component) => {
    const own = scans.filter(({ components }) => components.includes(component));
    return PROGRESSIVE.includes(frame.process) ? bringAllBits(own) : own.length > 0;
  });
}

function bringAllBits(scans: readonly ScanHeader[]): boolean {
  const missing: number[] = new Array(COEFFICIENTS).fill(Infinity);
  for (const { first, last, missingBits } of scans) missing.fill(missingBits, first, last + 1);
  return missing.every((bits) => bits === 0);
}
