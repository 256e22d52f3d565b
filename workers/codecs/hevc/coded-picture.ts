import { BitReader, rbspOf, UnsupportedBitstream } from "./bit-reader.ts";
import { type PPS, readPPS } from "./pps.ts";
import { readSliceHeader, type SliceHeader } from "./slice-header.ts";
import { readSPS, type SPS, type VideoSignal } from "./sps.ts";

/** A picture whose headers are read and supported. */
export interface CodedPicture {
  /** The size of the conformance window in luma samples. */
  readonly size: Size;
  /** Undefined if the bitstream does not describe the video signal. */
  readonly videoSignal: VideoSignal | undefined;
  readonly header: SliceHeader;
  /** slice_segment_data(). */
  readonly data: Uint8Array;
}

/** A size in luma samples. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** nal_unit_type (ITU-T H.265, table 7-1). Types from 32 on are not slices. */
const NAL_UNIT = { idrWithRadl: 19, idrNoLeadingPictures: 20, firstNonVcl: 32, sps: 33, pps: 34 };
const NAL_HEADER_BYTES = 2;
/** The ids allow 16 SPS and 64 PPS (7.4.3.2, 7.4.3.3). This bounds the work per tile of an image. */
const MAX_PARAMETER_SETS = 80;

/**
 * Reads the parameter sets and the slice segment header of a picture, not its slice data.
 *
 * @param nalUnits the NAL units of one picture and its parameter sets (7.3.1), without start codes
 * @throws {UnsupportedBitstream} if the decoder does not support the picture, or if a header is damaged
 */
export function readPicture(nalUnits: readonly Uint8Array[]): CodedPicture {
  const spsById = new Map<number, SPS>();
  const ppsById = new Map<number, PPS>();
  let slice: Pick<CodedPicture, "header" | "data"> | undefined;
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
      if (slice) throw new UnsupportedBitstream("several slice segments are not supported");
      const header = readSliceHeader(bits, { spsById, ppsById });
      slice = { header, data: rbsp.subarray(header.dataOffset) };
    }
  }
  if (!slice) throw new UnsupportedBitstream("there is no slice");
  const { sps } = slice.header;
  const { left, right, top, bottom } = sps.conformanceWindow;
  const size = { width: sps.width - left - right, height: sps.height - top - bottom };
  return { size, videoSignal: sps.videoSignal, ...slice };
}
