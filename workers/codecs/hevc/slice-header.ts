import { BitReader, UnsupportedBitstream } from "./bit-reader.ts";
import { type Deblocking, type PictureSet, readDeblocking, type SequenceSet } from "./parameter-sets.ts";

/** The parameter sets of a picture, by their numbers. */
export interface ParameterSets {
  readonly sequences: ReadonlyMap<number, SequenceSet>;
  readonly pictures: ReadonlyMap<number, PictureSet>;
}

/** A part of a picture that is coded by itself, or goes on with one before. */
export interface SliceSegment {
  readonly sequence: SequenceSet;
  readonly picture: PictureSet;
  /** The first of its coding tree blocks, row by row. */
  readonly address: number;
  /** What holds for a slice; nothing where the segment goes on with the one before. */
  readonly slice: Slice | undefined;
  /** Where its data begin in the payload. */
  readonly dataAt: number;
}

/** What holds for all segments of a slice. */
export interface Slice {
  readonly hasLumaOffsets: boolean;
  readonly hasChromaOffsets: boolean;
  readonly quantizer: number;
  readonly chromaQuantizers: readonly [blue: number, red: number];
  readonly deblocking: Deblocking;
  readonly filtersAcross: boolean;
}

const INTRA = 2;

/**
 * Reads a slice segment's header (ITU-T H.265, 7.3.6.1) of a picture that can be decoded at once (IDR).
 *
 * @param payload of the NAL unit, behind its header
 * @throws {UnsupportedBitstream} when it is coded in a way that is not decoded here
 */
export function readSliceSegment(payload: Uint8Array, sets: ParameterSets): SliceSegment {
  const bits = new BitReader(payload);
  const isFirst = bits.flag();
  bits.skip(1);
  const picture = sets.pictures.get(bits.unsigned());
  const sequence = sets.sequences.get(picture?.sequence ?? -1);
  if (!picture || !sequence) throw new UnsupportedBitstream("its parameters are not there");
  const isDependent = !isFirst && picture.hasDependentSegments && bits.flag();
  const address = isFirst ? 0 : bits.bits(addressBits(sequence));
  const slice = isDependent ? undefined : readSlice(bits, sequence, picture);
  if (picture.beginsRowsAnew) {
    const entries = bits.unsigned();
    if (entries > 0) bits.skip(entries * (bits.within(0, 31, bits.unsigned()) + 1));
  }
  if (picture.hasSliceExtension) bits.skip(8 * bits.within(0, 256, bits.unsigned()));
  if (!bits.flag()) throw new UnsupportedBitstream("its header does not end");
  return { sequence, picture, address, slice, dataAt: bits.bytesRead };
}

function addressBits({ width, height, log2 }: SequenceSet): number {
  const side = 2 ** log2.codingTreeBlock;
  return Math.ceil(Math.log2(Math.ceil(width / side) * Math.ceil(height / side)));
}

function readSlice(bits: BitReader, sequence: SequenceSet, picture: PictureSet): Slice {
  bits.skip(picture.extraSliceBits);
  bits.within(INTRA, INTRA, bits.unsigned());
  if (picture.hasOutputFlag) bits.skip(1);
  const hasLumaOffsets = sequence.hasOffsets && bits.flag();
  const hasChromaOffsets = sequence.hasOffsets && bits.flag();
  const quantizer = bits.within(0, 51, picture.quantizer + bits.signed());
  const [blue, red] = picture.chromaQuantizers;
  const chroma = (base: number) =>
    picture.hasSliceChromaQuantizers ? bits.within(-12, 12, base + bits.signed()) : base;
  const chromaQuantizers = [chroma(blue), chroma(red)] as const;
  const hasOwnDeblocking = picture.hasSliceDeblocking && bits.flag();
  const deblocking = hasOwnDeblocking ? readDeblocking(bits) : picture.deblocking;
  const isFiltered = hasLumaOffsets || hasChromaOffsets || !deblocking.isOff;
  const isTold = picture.filtersAcrossSlices && isFiltered;
  const filtersAcross = isTold ? bits.flag() : picture.filtersAcrossSlices;
  return { hasLumaOffsets, hasChromaOffsets, quantizer, chromaQuantizers, deblocking, filtersAcross };
}
