import { BitReader, UnsupportedBitstream } from "./bit-reader.ts";
import { defaultFactors, readScalingLists, type ScalingFactors } from "./scaling-lists.ts";

/** What a sequence parameter set says (ITU-T H.265, 7.3.2.2), as far as a still picture needs it. */
export interface SequenceSet {
  readonly id: number;
  /** Of the picture as it is coded, in pixels of luma. */
  readonly width: number;
  readonly height: number;
  /** How many pixels of luma are not shown at each side. */
  readonly hidden: {
    readonly left: number;
    readonly right: number;
    readonly top: number;
    readonly bottom: number;
  };
  readonly log2: {
    readonly pictureOrder: number;
    readonly codingBlock: number;
    readonly codingTreeBlock: number;
    readonly transformBlock: number;
    readonly largestTransformBlock: number;
  };
  readonly transformDepth: number;
  /** Absent where all coefficients are scaled alike. */
  readonly scaling: ScalingFactors | undefined;
  readonly hasOffsets: boolean;
  readonly smoothsStrongly: boolean;
  /** How values are meant (ITU-T H.273), where it says so. */
  readonly signal: VideoSignal | undefined;
}

/** How values are meant (ITU-T H.273). */
export interface VideoSignal {
  readonly isFullRange: boolean;
  readonly matrix: number | undefined;
}

/** What a picture parameter set says (7.3.2.3). */
export interface PictureSet {
  readonly id: number;
  readonly sequence: number;
  readonly hasDependentSegments: boolean;
  readonly hasOutputFlag: boolean;
  readonly extraSliceBits: number;
  readonly hidesSigns: boolean;
  readonly quantizer: number;
  readonly skipsTransforms: boolean;
  /** Into how many levels of smaller blocks quantizers are told; nothing where they stay the same. */
  readonly quantizerDepth: number | undefined;
  readonly chromaQuantizers: readonly [blue: number, red: number];
  readonly hasSliceChromaQuantizers: boolean;
  readonly beginsRowsAnew: boolean;
  readonly filtersAcrossSlices: boolean;
  readonly deblocking: Deblocking;
  readonly hasSliceDeblocking: boolean;
  /** In the place of those of the sequence, where coefficients are scaled at all. */
  readonly scaling: ScalingFactors | undefined;
  readonly hasSliceExtension: boolean;
}

/** How edges of blocks are smoothed. */
export interface Deblocking {
  readonly isOff: boolean;
  /** Half of what is added to the quantizer to look up how strongly. */
  readonly beta: number;
  readonly tc: number;
}

const LARGEST_SIDE = 16_384;
const SHORT_TERM_SETS = 64;

/**
 * Reads a sequence parameter set.
 *
 * @param payload of the NAL unit, behind its header
 * @throws {UnsupportedBitstream} when pictures are coded in a way that is not decoded here
 */
export function readSequenceSet(payload: Uint8Array): SequenceSet {
  const bits = new BitReader(payload);
  bits.skip(4);
  const subLayers = bits.bits(3);
  bits.skip(1);
  skipProfile(bits, subLayers);
  const id = bits.within(0, 15, bits.unsigned());
  // 4:2:0, whatever the profile says.
  bits.within(1, 1, bits.unsigned());
  const width = bits.within(8, LARGEST_SIDE, bits.unsigned());
  const height = bits.within(8, LARGEST_SIDE, bits.unsigned());
  const hidden = readWindow(bits);
  // 8 bits of luma, and of chroma.
  bits.within(0, 0, bits.unsigned());
  bits.within(0, 0, bits.unsigned());
  const pictureOrder = bits.within(4, 16, bits.unsigned() + 4);
  for (let layer = bits.flag() ? 0 : subLayers; layer <= subLayers; layer++) {
    for (let value = 0; value < 3; value++) bits.unsigned();
  }
  const codingBlock = bits.within(3, 6, bits.unsigned() + 3);
  const codingTreeBlock = bits.within(4, 6, bits.unsigned() + codingBlock);
  const transformBlock = bits.within(2, codingBlock - 1, bits.unsigned() + 2);
  const largestTransformBlock = bits.within(
    2,
    Math.min(5, codingTreeBlock),
    bits.unsigned() + transformBlock,
  );
  bits.unsigned();
  const transformDepth = bits.within(0, codingTreeBlock - transformBlock, bits.unsigned());
  const isScaled = bits.flag();
  const hasLists = isScaled && bits.flag();
  const scaling = hasLists ? readScalingLists(bits) : isScaled ? defaultFactors() : undefined;
  bits.skip(1);
  const hasOffsets = bits.flag();
  if (bits.flag()) throw new UnsupportedBitstream("it has samples that are not coded");
  skipReferences(bits, pictureOrder);
  bits.skip(1);
  const smoothsStrongly = bits.flag();
  const signal = bits.flag() ? readUsability(bits) : undefined;
  refuseExtension(bits);
  const block = 2 ** codingBlock;
  if (width % block !== 0 || height % block !== 0)
    throw new UnsupportedBitstream("it is not of whole blocks");
  if (hidden.left + hidden.right >= width || hidden.top + hidden.bottom >= height) {
    throw new UnsupportedBitstream("nothing of it is shown");
  }
  const log2 = { pictureOrder, codingBlock, codingTreeBlock, transformBlock, largestTransformBlock };
  return { id, width, height, hidden, log2, transformDepth, scaling, hasOffsets, smoothsStrongly, signal };
}

/** Passes over profile, tier and level (7.3.3). */
function skipProfile(bits: BitReader, subLayers: number): void {
  bits.skip(96);
  const present: (readonly [profile: boolean, level: boolean])[] = [];
  for (let layer = 0; layer < subLayers; layer++) present.push([bits.flag(), bits.flag()]);
  if (subLayers > 0) bits.skip(2 * (8 - subLayers));
  for (const [profile, level] of present) bits.skip((profile ? 88 : 0) + (level ? 8 : 0));
}

/** A window, in which chroma counts, in pixels of luma. */
function readWindow(bits: BitReader): SequenceSet["hidden"] {
  if (!bits.flag()) return { left: 0, right: 0, top: 0, bottom: 0 };
  const side = () => 2 * bits.within(0, LARGEST_SIDE, bits.unsigned());
  return { left: side(), right: side(), top: side(), bottom: side() };
}

/** Passes over what pictures refer to (7.3.7), which a still picture has not. */
function skipReferences(bits: BitReader, pictureOrder: number): void {
  const sets = bits.within(0, SHORT_TERM_SETS, bits.unsigned());
  const sizes: number[] = [];
  for (let set = 0; set < sets; set++) sizes.push(skipShortTermSet(bits, set, sizes));
  if (!bits.flag()) return;
  const long = bits.within(0, 32, bits.unsigned());
  bits.skip(long * (pictureOrder + 1));
}

/** @returns how many pictures it names */
function skipShortTermSet(bits: BitReader, set: number, sizes: readonly number[]): number {
  if (set > 0 && bits.flag()) {
    bits.skip(1);
    bits.unsigned();
    let size = 0;
    for (let picture = 0; picture <= (sizes[set - 1] ?? 0); picture++) {
      const isUsed = bits.flag();
      if (isUsed || bits.flag()) size++;
    }
    return bits.within(0, 16, size);
  }
  const size = bits.within(0, 16, bits.unsigned()) + bits.within(0, 16, bits.unsigned());
  for (let picture = 0; picture < size; picture++) {
    bits.unsigned();
    bits.skip(1);
  }
  return bits.within(0, 16, size);
}

/** What helps to show pictures (annex E.2.1). */
function readUsability(bits: BitReader): VideoSignal | undefined {
  const EXTENDED_ASPECT = 255;
  if (bits.flag() && bits.bits(8) === EXTENDED_ASPECT) bits.skip(32);
  if (bits.flag()) bits.skip(1);
  let signal: VideoSignal | undefined;
  if (bits.flag()) {
    bits.skip(3);
    const isFullRange = bits.flag();
    const isDescribed = bits.flag();
    if (isDescribed) bits.skip(16);
    signal = { isFullRange, matrix: isDescribed ? bits.bits(8) : undefined };
  }
  if (bits.flag()) {
    bits.unsigned();
    bits.unsigned();
  }
  bits.skip(3);
  readWindow(bits);
  if (bits.flag()) {
    bits.skip(64);
    if (bits.flag()) bits.unsigned();
    if (bits.flag()) throw new UnsupportedBitstream("it tells a decoder's buffers");
  }
  if (bits.flag()) {
    bits.skip(3);
    for (let value = 0; value < 5; value++) bits.unsigned();
  }
  return signal;
}

function refuseExtension(bits: BitReader): void {
  if (bits.flag() && bits.bits(8) !== 0) throw new UnsupportedBitstream("it has extensions");
}

/**
 * Reads a picture parameter set.
 *
 * @param payload of the NAL unit, behind its header
 * @throws {UnsupportedBitstream} when pictures are coded in a way that is not decoded here
 */
export function readPictureSet(payload: Uint8Array): PictureSet {
  const bits = new BitReader(payload);
  const id = bits.within(0, 63, bits.unsigned());
  const sequence = bits.within(0, 15, bits.unsigned());
  const hasDependentSegments = bits.flag();
  const hasOutputFlag = bits.flag();
  const extraSliceBits = bits.bits(3);
  const hidesSigns = bits.flag();
  bits.skip(1);
  bits.unsigned();
  bits.unsigned();
  const quantizer = bits.within(0, 51, 26 + bits.signed());
  // Whether inter prediction may lead to intra prediction: there is none.
  bits.skip(1);
  const skipsTransforms = bits.flag();
  const quantizerDepth = bits.flag() ? bits.within(0, 3, bits.unsigned()) : undefined;
  const chromaQuantizer = () => bits.within(-12, 12, bits.signed());
  const chromaQuantizers = [chromaQuantizer(), chromaQuantizer()] as const;
  const hasSliceChromaQuantizers = bits.flag();
  bits.skip(2);
  if (bits.flag()) throw new UnsupportedBitstream("it has blocks without loss");
  if (bits.flag()) throw new UnsupportedBitstream("it has tiles");
  const beginsRowsAnew = bits.flag();
  const filtersAcrossSlices = bits.flag();
  const isControlled = bits.flag();
  const hasSliceDeblocking = isControlled && bits.flag();
  const deblocking = isControlled ? readDeblocking(bits) : { isOff: false, beta: 0, tc: 0 };
  const scaling = bits.flag() ? readScalingLists(bits) : undefined;
  bits.skip(1);
  bits.unsigned();
  const hasSliceExtension = bits.flag();
  refuseExtension(bits);
  return {
    ...{ id, sequence, hasDependentSegments, hasOutputFlag, extraSliceBits, hidesSigns, quantizer },
    ...{ skipsTransforms, quantizerDepth, chromaQuantizers, hasSliceChromaQuantizers, beginsRowsAnew },
    ...{ filtersAcrossSlices, deblocking, hasSliceDeblocking, scaling, hasSliceExtension },
  };
}

/** How edges of blocks are smoothed, as a picture parameter set and a slice say it alike. */
export function readDeblocking(bits: BitReader): Deblocking {
  if (bits.flag()) return { isOff: true, beta: 0, tc: 0 };
  const offset = () => bits.within(-6, 6, bits.signed());
  return { isOff: false, beta: offset(), tc: offset() };
}
