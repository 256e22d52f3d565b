import { type BitReader, inRange, UnsupportedBitstream } from "./bit-reader.ts";
import { type ChromaQpOffsets, type Deblocking, type PPS, readDeblocking } from "./pps.ts";
import type { SPS } from "./sps.ts";

/** The parameter sets of a bitstream by their ids. */
interface ParameterSets {
  readonly spsById: ReadonlyMap<number, SPS>;
  readonly ppsById: ReadonlyMap<number, PPS>;
}

/** A slice segment header (ITU-T H.265, 7.3.6.1). */
export interface SliceHeader {
  readonly sps: SPS;
  readonly pps: PPS;
  readonly saoLuma: boolean;
  readonly saoChroma: boolean;
  readonly qp: number;
  /** The sum of those of PPS and slice. */
  readonly chromaQpOffsets: ChromaQpOffsets;
  readonly deblocking: Deblocking;
  /** Where slice_segment_data() starts in the RBSP. */
  readonly dataOffset: number;
}

const SLICE_TYPE_I = 2;
const MAX_EXTENSION_BYTES = 256;

/**
 * Reads the slice segment header (7.3.6.1) of an IDR picture with one segment.
 *
 * @param bits the RBSP, after the NAL unit header
 * @throws {UnsupportedBitstream}
 */
export function readSliceHeader(bits: BitReader, { spsById, ppsById }: ParameterSets): SliceHeader {
  // first_slice_segment_in_pic_flag.
  if (!bits.flag()) throw new UnsupportedBitstream("several slice segments are not supported");
  // no_output_of_prior_pics_flag.
  bits.skip(1);
  const pps = ppsById.get(bits.ue());
  const sps = spsById.get(pps?.spsId ?? -1);
  if (!pps || !sps) throw new UnsupportedBitstream("a parameter set is missing");
  bits.skip(pps.extraSliceHeaderBits);
  bits.ue(SLICE_TYPE_I, SLICE_TYPE_I);
  // pic_output_flag.
  if (pps.outputFlagPresent) bits.skip(1);
  const saoLuma = sps.sao && bits.flag();
  const saoChroma = sps.sao && bits.flag();
  const qp = inRange(pps.initQp + bits.se(), 0, 51);
  const { cb, cr } = pps.chromaQpOffsets;
  const chromaQpOffset = (offset: number) =>
    pps.sliceChromaQpOffsetsPresent ? inRange(offset + bits.se(), -12, 12) : offset;
  const chromaQpOffsets = { cb: chromaQpOffset(cb), cr: chromaQpOffset(cr) };
  const hasOwnDeblocking = pps.deblockingOverride && bits.flag();
  const deblocking = hasOwnDeblocking ? readDeblocking(bits) : pps.deblocking;
  const hasLoopFilter = saoLuma || saoChroma || !deblocking.isDisabled;
  // slice_loop_filter_across_slices_enabled_flag.
  if (pps.loopFilterAcrossSlices && hasLoopFilter) bits.skip(1);
  if (pps.entropyCodingSync) {
    // Entry points are not needed: rows follow each other.
    const entryPoints = bits.ue();
    if (entryPoints > 0) bits.skip(entryPoints * (bits.ue(0, 31) + 1));
  }
  if (pps.sliceHeaderExtension) bits.skip(8 * bits.ue(0, MAX_EXTENSION_BYTES));
  // byte_alignment().
  if (!bits.flag()) throw new UnsupportedBitstream("a slice segment header has no end");
  return { sps, pps, saoLuma, saoChroma, qp, chromaQpOffsets, deblocking, dataOffset: bits.bytesRead };
}
