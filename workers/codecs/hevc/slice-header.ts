import { type BitReader, inRange, UnsupportedBitstream } from "./bit-reader.ts";
import { type ChromaQpOffsets, type Deblocking, type PPS, readDeblocking } from "./pps.ts";
import type { SPS } from "./sps.ts";

/** The parameter sets of a bitstream by their ids. */
interface ParameterSets {
  readonly spsById: ReadonlyMap<number, SPS>;
  readonly ppsById: ReadonlyMap<number, PPS>;
}

/** A slice segment header (ITU-T H.265, 7.3.6.1). */
export interface SliceSegmentHeader {
  readonly sps: SPS;
  readonly pps: PPS;
  /** slice_segment_address: the first CTU, in raster scan. */
  readonly address: number;
  /** Undefined for a dependent slice segment, which belongs to the slice before. */
  readonly slice: Slice | undefined;
  /** Where slice_segment_data() starts in the RBSP. */
  readonly dataOffset: number;
}

/** The parameters of all segments of a slice. */
export interface Slice {
  readonly saoLuma: boolean;
  readonly saoChroma: boolean;
  readonly qp: number;
  /** The sum of those of PPS and slice. */
  readonly chromaQpOffsets: ChromaQpOffsets;
  readonly deblocking: Deblocking;
  readonly loopFilterAcrossSlices: boolean;
}

const SLICE_TYPE_I = 2;
const MAX_EXTENSION_BYTES = 256;

/**
 * Reads the slice segment header (7.3.6.1) of an IDR picture.
 *
 * @param bits the RBSP, after the NAL unit header
 * @throws {UnsupportedBitstream}
 */
export function readSliceSegmentHeader(
  bits: BitReader,
  { spsById, ppsById }: ParameterSets,
): SliceSegmentHeader {
  const isFirst = bits.flag();
  // no_output_of_prior_pics_flag.
  bits.skip(1);
  const pps = ppsById.get(bits.ue());
  const sps = spsById.get(pps?.spsId ?? -1);
  if (!pps || !sps) throw new UnsupportedBitstream("a parameter set is missing");
  const isDependent = !isFirst && pps.dependentSliceSegments && bits.flag();
  const address = isFirst ? 0 : bits.u(addressBits(sps));
  const slice = isDependent ? undefined : readSlice(bits, sps, pps);
  if (pps.entropyCodingSync) {
    // Entry points are not needed: rows follow each other.
    const entryPoints = bits.ue();
    if (entryPoints > 0) bits.skip(entryPoints * (bits.ue(0, 31) + 1));
  }
  if (pps.sliceHeaderExtension) bits.skip(8 * bits.ue(0, MAX_EXTENSION_BYTES));
  // byte_alignment().
  if (!bits.flag()) throw new UnsupportedBitstream("a slice segment header has no end");
  return { sps, pps, address, slice, dataOffset: bits.bytesRead };
}

function addressBits({ width, height, log2 }: SPS): number {
  const size = 2 ** log2.codingTreeBlock;
  return Math.ceil(Math.log2(Math.ceil(width / size) * Math.ceil(height / size)));
}

function readSlice(bits: BitReader, sps: SPS, pps: PPS): Slice {
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
  const hasLoopFilterFlag = pps.loopFilterAcrossSlices && hasLoopFilter;
  const loopFilterAcrossSlices = hasLoopFilterFlag ? bits.flag() : pps.loopFilterAcrossSlices;
  return { saoLuma, saoChroma, qp, chromaQpOffsets, deblocking, loopFilterAcrossSlices };
}
