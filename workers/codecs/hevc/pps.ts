import { type BitReader, inRange, UnsupportedBitstream } from "./bit-reader.ts";
import { readScalingLists, type ScalingFactors } from "./scaling-lists.ts";
import { refuseExtensions } from "./sps.ts";

/** A picture parameter set (ITU-T H.265, 7.3.2.3): the parts that a still picture needs. */
export interface PPS {
  readonly id: number;
  readonly spsId: number;
  readonly outputFlagPresent: boolean;
  readonly extraSliceHeaderBits: number;
  readonly signDataHiding: boolean;
  readonly initQp: number;
  readonly transformSkip: boolean;
  /** diff_cu_qp_delta_depth; undefined if cu_qp_delta_enabled_flag is 0. */
  readonly cuQpDeltaDepth: number | undefined;
  readonly chromaQpOffsets: ChromaQpOffsets;
  readonly sliceChromaQpOffsetsPresent: boolean;
  readonly entropyCodingSync: boolean;
  readonly loopFilterAcrossSlices: boolean;
  readonly deblocking: Deblocking;
  readonly deblockingOverride: boolean;
  /** Replaces the scaling factors of the SPS, if that enables them. */
  readonly scalingFactors: ScalingFactors | undefined;
  readonly sliceHeaderExtension: boolean;
}

/** The offsets from the luma QP to the chroma QPs. */
export interface ChromaQpOffsets {
  readonly cb: number;
  readonly cr: number;
}

/** The parameters of the deblocking filter (8.7.2). */
export interface Deblocking {
  readonly isDisabled: boolean;
  readonly betaOffsetDiv2: number;
  readonly tcOffsetDiv2: number;
}

/**
 * Reads a picture parameter set (7.3.2.3).
 *
 * @param bits the RBSP, after the NAL unit header
 * @throws {UnsupportedBitstream}
 */
export function readPPS(bits: BitReader): PPS {
  const id = bits.ue(0, 63);
  const spsId = bits.ue(0, 15);
  // dependent_slice_segments_enabled_flag.
  bits.skip(1);
  const outputFlagPresent = bits.flag();
  const extraSliceHeaderBits = bits.u(3);
  const signDataHiding = bits.flag();
  // cabac_init_present_flag, num_ref_idx_l0_default_active_minus1, num_ref_idx_l1_default_active_minus1.
  bits.skip(1);
  bits.skipCodes(2);
  const initQp = inRange(26 + bits.se(), 0, 51);
  // constrained_intra_pred_flag has no effect without inter prediction.
  bits.skip(1);
  const transformSkip = bits.flag();
  const cuQpDeltaDepth = bits.flag() ? bits.ue(0, 3) : undefined;
  const chromaQpOffsets = { cb: bits.se(-12, 12), cr: bits.se(-12, 12) };
  const sliceChromaQpOffsetsPresent = bits.flag();
  // weighted_pred_flag, weighted_bipred_flag.
  bits.skip(2);
  if (bits.flag()) throw new UnsupportedBitstream("transquant bypass is not supported");
  if (bits.flag()) throw new UnsupportedBitstream("tiles are not supported");
  const entropyCodingSync = bits.flag();
  const loopFilterAcrossSlices = bits.flag();
  const hasDeblockingControl = bits.flag();
  const deblockingOverride = hasDeblockingControl && bits.flag();
  const deblocking = hasDeblockingControl
    ? readDeblocking(bits)
    : { isDisabled: false, betaOffsetDiv2: 0, tcOffsetDiv2: 0 };
  const scalingFactors = bits.flag() ? readScalingLists(bits) : undefined;
  // lists_modification_present_flag, log2_parallel_merge_level_minus2.
  bits.skip(1);
  bits.ue();
  const sliceHeaderExtension = bits.flag();
  refuseExtensions(bits);
  return {
    ...{ id, spsId, outputFlagPresent, extraSliceHeaderBits, signDataHiding, initQp },
    ...{ transformSkip, cuQpDeltaDepth, chromaQpOffsets, sliceChromaQpOffsetsPresent, entropyCodingSync },
    ...{ loopFilterAcrossSlices, deblocking, deblockingOverride, scalingFactors, sliceHeaderExtension },
  };
}

/** Reads the parameters of the deblocking filter. PPS and slice segment header have the same syntax. */
export function readDeblocking(bits: BitReader): Deblocking {
  if (bits.flag()) return { isDisabled: true, betaOffsetDiv2: 0, tcOffsetDiv2: 0 };
  return { isDisabled: false, betaOffsetDiv2: bits.se(-6, 6), tcOffsetDiv2: bits.se(-6, 6) };
}
