import { BitReader, rbspOf, UnsupportedBitstream } from "./bit-reader.ts";
import { type PPS, readPPS } from "./pps.ts";
import { readSliceSegmentHeader, type SliceSegmentHeader } from "./slice-header.ts";
import { readSPS, type SPS, type VideoSignal } from "./sps.ts";

/** A picture whose headers are read and supported. */
export interface CodedPicture {
  /** The size of the conformance window in luma samples. */
  readonly size: Size;
  /** Undefined if the bitstream does not describe the video signal. */
  readonly videoSignal: VideoSignal | undefined;
  readonly sps: SPS;
  readonly segments: readonly SliceSegment[];
}

/** A size in luma samples. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

interface SliceSegment {
  readonly header: SliceSegmentHeader;
  readonly data: Uint8Array;
}

/** nal_unit_type (ITU-T H.265, table 7-1). Types from 32 on are not slices. */
const NAL_UNIT = { idrWithRadl: 19, idrNoLeadingPictures: 20, firstNonVcl: 32, sps: 33, pps: 34 };
const NAL_HEADER_BYTES = 2;
/** The ids allow 16 SPS and 64 PPS (7.4.3.2, 7.4.3.3). This bounds the work per tile of an image. */
const MAX_PARAMETER_SETS = 80;
/** More than any level allows (table A.8). */
const MAX_SEGMENTS = 1000;

/**
 * Reads the parameter sets and slice segment headers of a picture, not its slice data.
 *
 * @param nalUnits the NAL units of one picture and its parameter sets (7.3.1), without start codes
 * @throws {UnsupportedBitstream} if the decoder does not support the picture, or if a header is damaged
 */
export function readPicture(nalUnits: readonly Uint8Array[]): CodedPicture {
  const spsById = new Map<number, SPS>();
  const ppsById = new Map<number, PPS>();
  const segments: SliceSegment[] = [];
  let parameterSets = 0;
  for (const nalUnit of nalUnits) {
    const [first = 0, second = 0] = nalUnit;
    const type = (first >> 1) & 63;
    const layerId = ((first & 1) << 5) | (second >> 3);
    if (layerId > 0) continue;
    const isParameterSet = type === NAL_UNIT.sps || type === NAL_UNIT.pps;
    if (isParameterSet && ++parameterSets > MAX_PARAMETER_SETS)
      throw new UnsupportedBitstream("there are too many parameter sets");
    const isIdr = type === NAL_UNIT.idrWithRadl || type === NAL_UNIT.idrNoLeadingPictures;
    if (!isIdr && type < NAL_UNIT.firstNonVcl) throw new UnsupportedBitstream("it is not an IDR picture");
    if (!isParameterSet && !isIdr) continue;
    const rbsp = rbspOf(nalUnit.subarray(NAL_HEADER_BYTES));
    const bits = new BitReader(rbsp);
    if (type === NAL_UNIT.sps) {
      const sps = readSPS(bits);
      spsById.set(sps.id, sps);
    } else if (type === NAL_UNIT.pps) {
      const pps = readPPS(bits);
      ppsById.set(pps.id, pps);
    } else {
      const header = readSliceSegmentHeader(bits, { spsById, ppsById });
      segments.push({ header, data: rbsp.subarray(header.dataOffset) });
    }
  }
  const [first] = segments;
  if (!first) throw new UnsupportedBitstream("there is no slice");
  if (segments.length > MAX_SEGMENTS) throw new UnsupportedBitstream("there are too many slice segments");
  checkSegments(segments, first.header);
  const { sps } = first.header;
  const { left, right, top, bottom } = sps.conformanceWindow;
  const size = { width: sps.width - left - right, height: sps.height - top - bottom };
  return { size, videoSignal: sps.videoSignal, sps, segments };
}

/** Throws unless all segments belong to one picture and share one deblocking filter, also across slices. */
function checkSegments(segments: readonly SliceSegment[], first: SliceSegmentHeader): void {
  for (const [index, { header }] of segments.entries()) {
    if ((index === 0) !== (header.address === 0))
      throw new UnsupportedBitstream("there is not exactly one picture");
    if (header.sps !== first.sps || header.pps !== first.pps)
      throw new UnsupportedBitstream("slices use different parameter sets");
    const { slice } = header;
    if (index === 0 || !slice || !first.slice) continue;
    const { isDisabled, betaOffsetDiv2, tcOffsetDiv2 } = slice.deblocking;
    const expected = first.slice.deblocking;
    const isSame =
      isDisabled === expected.isDisabled &&
      betaOffsetDiv2 === expected.betaOffsetDiv2 &&
      tcOffsetDiv2 === expected.tcOffsetDiv2;
    if (!isSame || !slice.loopFilterAcrossSlices)
      throw new UnsupportedBitstream("slices that are deblocked separately are not supported");
  }
}
