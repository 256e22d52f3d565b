import { type BitReader, inRange, UnsupportedBitstream } from "./bit-reader.ts";
import { defaultScalingFactors, readScalingLists, type ScalingFactors } from "./scaling-lists.ts";

/** A sequence parameter set (ITU-T H.265, 7.3.2.2): the parts that a still picture needs. */
export interface SPS {
  readonly id: number;
  /** The coded size in luma samples. */
  readonly width: number;
  readonly height: number;
  /** The width of the border to crop at each side, in luma samples. */
  readonly conformanceWindow: Window;
  /** Binary logarithms of the sizes of blocks. */
  readonly log2: {
    readonly minCodingBlock: number;
    readonly codingTreeBlock: number;
    readonly minTransformBlock: number;
    readonly maxTransformBlock: number;
  };
  /** max_transform_hierarchy_depth_intra. */
  readonly maxTransformHierarchyDepth: number;
  /** Undefined if scaling_list_enabled_flag is 0. */
  readonly scalingFactors: ScalingFactors | undefined;
  readonly sao: boolean;
  readonly strongIntraSmoothing: boolean;
  /** Undefined if the VUI does not describe the video signal. */
  readonly videoSignal: VideoSignal | undefined;
}

interface Window {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** The properties of sample values in the VUI (E.2.1, E.3.1). */
export interface VideoSignal {
  /** video_full_range_flag. */
  readonly isFullRange: boolean;
  /** matrix_coeffs (ITU-T H.273, table 4); undefined if not described. */
  readonly matrix: number | undefined;
}

const MAX_SIDE = 16_384;
const MAX_SHORT_TERM_REF_PIC_SETS = 64;
const MAX_LONG_TERM_REF_PICS = 32;
const MAX_DPB_SIZE = 16;
const CHROMA_420 = 1;

/**
 * Reads a sequence parameter set (7.3.2.2).
 *
 * @param bits the RBSP, after the NAL unit header
 * @throws {UnsupportedBitstream}
 */
export function readSPS(bits: BitReader): SPS {
  bits.skip(4);
  const maxSubLayersMinus1 = bits.u(3);
  bits.skip(1);
  skipProfileTierLevel(bits, maxSubLayersMinus1);
  const id = bits.ue(0, 15);
  bits.ue(CHROMA_420, CHROMA_420);
  const width = bits.ue(8, MAX_SIDE);
  const height = bits.ue(8, MAX_SIDE);
  const conformanceWindow = readWindow(bits);
  // bit_depth_luma_minus8, bit_depth_chroma_minus8.
  bits.ue(0, 0);
  bits.ue(0, 0);
  const maxPicOrderCntLsb = 4 + bits.ue(0, 12);
  // sps_max_dec_pic_buffering_minus1, sps_max_num_reorder_pics, sps_max_latency_increase_plus1.
  const sizedSubLayers = bits.flag() ? maxSubLayersMinus1 + 1 : 1;
  bits.skipCodes(3 * sizedSubLayers);
  const minCodingBlock = 3 + bits.ue(0, 3);
  const codingTreeBlock = inRange(minCodingBlock + bits.ue(), 4, 6);
  const minTransformBlock = inRange(2 + bits.ue(), 2, minCodingBlock - 1);
  const maxTransformBlock = inRange(minTransformBlock + bits.ue(), 2, Math.min(5, codingTreeBlock));
  // max_transform_hierarchy_depth_inter.
  bits.ue();
  const maxTransformHierarchyDepth = bits.ue(0, codingTreeBlock - minTransformBlock);
  const scalingFactors = bits.flag() ? readScalingFactors(bits) : undefined;
  // amp_enabled_flag.
  bits.skip(1);
  const sao = bits.flag();
  if (bits.flag()) throw new UnsupportedBitstream("PCM is not supported");
  skipRefPicSets(bits, maxPicOrderCntLsb);
  // sps_temporal_mvp_enabled_flag.
  bits.skip(1);
  const strongIntraSmoothing = bits.flag();
  const videoSignal = bits.flag() ? readVUI(bits) : undefined;
  refuseExtensions(bits);
  const blockSize = 2 ** minCodingBlock;
  if (width % blockSize !== 0 || height % blockSize !== 0)
    throw new UnsupportedBitstream("the size is not a multiple of the smallest coding block");
  const { left, right, top, bottom } = conformanceWindow;
  if (left + right >= width || top + bottom >= height)
    throw new UnsupportedBitstream("the conformance window is empty");
  return {
    ...{ id, width, height, conformanceWindow },
    log2: { minCodingBlock, codingTreeBlock, minTransformBlock, maxTransformBlock },
    ...{ maxTransformHierarchyDepth, scalingFactors, sao, strongIntraSmoothing, videoSignal },
  };
}

/** Skips profile_tier_level() (7.3.3). */
function skipProfileTierLevel(bits: BitReader, maxSubLayersMinus1: number): void {
  bits.skip(96);
  const present: (readonly [profile: boolean, level: boolean])[] = [];
  for (let layer = 0; layer < maxSubLayersMinus1; layer++) present.push([bits.flag(), bits.flag()]);
  if (maxSubLayersMinus1 > 0) bits.skip(2 * (8 - maxSubLayersMinus1));
  for (const [profile, level] of present) bits.skip((profile ? 88 : 0) + (level ? 8 : 0));
}

/** Reads a window with its flag. Its unit is a chroma sample: two luma samples. */
function readWindow(bits: BitReader): Window {
  if (!bits.flag()) return { left: 0, right: 0, top: 0, bottom: 0 };
  const offset = () => 2 * bits.ue(0, MAX_SIDE);
  return { left: offset(), right: offset(), top: offset(), bottom: offset() };
}

function readScalingFactors(bits: BitReader): ScalingFactors {
  return bits.flag() ? readScalingLists(bits) : defaultScalingFactors();
}

/** Skips reference picture sets, which a still picture does not use. */
function skipRefPicSets(bits: BitReader, maxPicOrderCntLsb: number): void {
  const count = bits.ue(0, MAX_SHORT_TERM_REF_PIC_SETS);
  let previous = 0;
  for (let index = 0; index < count; index++) previous = skipShortTermRefPicSet(bits, index, previous);
  if (!bits.flag()) return;
  const longTerm = bits.ue(0, MAX_LONG_TERM_REF_PICS);
  bits.skip(longTerm * (maxPicOrderCntLsb + 1));
}

/**
 * Skips st_ref_pic_set() (7.3.7).
 *
 * @param previous NumDeltaPocs of the previous set
 * @returns NumDeltaPocs
 */
function skipShortTermRefPicSet(bits: BitReader, index: number, previous: number): number {
  if (index > 0 && bits.flag()) {
    bits.skip(1);
    bits.ue();
    let numDeltaPocs = 0;
    for (let picture = 0; picture <= previous; picture++) {
      const isUsedByCurrent = bits.flag();
      if (isUsedByCurrent || bits.flag()) numDeltaPocs++;
    }
    return inRange(numDeltaPocs, 0, MAX_DPB_SIZE);
  }
  const numDeltaPocs = inRange(bits.ue() + bits.ue(), 0, MAX_DPB_SIZE);
  for (let picture = 0; picture < numDeltaPocs; picture++) {
    bits.ue();
    bits.skip(1);
  }
  return numDeltaPocs;
}

/** Reads vui_parameters() (E.2.1). */
function readVUI(bits: BitReader): VideoSignal | undefined {
  const EXTENDED_SAR = 255;
  if (bits.flag() && bits.u(8) === EXTENDED_SAR) bits.skip(32);
  // overscan_info.
  if (bits.flag()) bits.skip(1);
  const videoSignal = bits.flag() ? readVideoSignal(bits) : undefined;
  // chroma_sample_loc_type.
  if (bits.flag()) bits.skipCodes(2);
  // neutral_chroma_indication_flag, field_seq_flag, frame_field_info_present_flag.
  bits.skip(3);
  // The default display window.
  readWindow(bits);
  if (bits.flag()) {
    // vui_num_units_in_tick, vui_time_scale.
    bits.skip(64);
    if (bits.flag()) bits.ue();
    if (bits.flag()) throw new UnsupportedBitstream("HRD parameters are not supported");
  }
  // bitstream_restriction.
  if (bits.flag()) {
    bits.skip(3);
    bits.skipCodes(5);
  }
  return videoSignal;
}

function readVideoSignal(bits: BitReader): VideoSignal {
  // video_format.
  bits.skip(3);
  const isFullRange = bits.flag();
  if (!bits.flag()) return { isFullRange, matrix: undefined };
  // colour_primaries, transfer_characteristics.
  bits.skip(16);
  return { isFullRange, matrix: bits.u(8) };
}

/** Throws if a parameter set has an extension that is in use. */
export function refuseExtensions(bits: BitReader): void {
  if (bits.flag() && bits.u(8) !== 0) throw new UnsupportedBitstream("extensions are not supported");
}
