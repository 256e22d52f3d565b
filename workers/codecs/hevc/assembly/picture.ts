/** The parameters of a picture, and the memory layout. */

/** The parameters of a picture, i32 each, in the order of {@link layOut}. hevc-decoder.ts writes them. */
export const PARAMETERS = memory.data(4 * 23, 16);
/** See ScalingFactors in scaling-lists.ts. */
export const SCALING_FACTORS = memory.data(3 * 16 + 3 * 64 + 3 * 256 + 1024, 16);

export let width: i32 = 0;
export let height: i32 = 0;
export let ctbLog2: i32 = 0;
export let minCbLog2: i32 = 0;
export let minTbLog2: i32 = 0;
export let maxTbLog2: i32 = 0;
export let maxTransformHierarchyDepth: i32 = 0;
export let strongIntraSmoothing: bool = false;
export let signDataHiding: bool = false;
export let transformSkipEnabled: bool = false;
/** Log2MinCuQpDeltaSize; larger than any block if cu_qp_delta_enabled_flag is 0. */
export let minCuQpDeltaLog2: i32 = 0;
export let entropyCodingSync: bool = false;
export let scalingListEnabled: bool = false;
/** The chroma QP offsets of the PPS. Deblocking uses them without those of the slice (8.7.2.5.5). */
export let ppsCbQpOffset: i32 = 0;
export let ppsCrQpOffset: i32 = 0;

/** SliceQpY. */
export let sliceQp: i32 = 0;
/** The chroma QP offsets of PPS and slice together. */
export let cbQpOffset: i32 = 0;
export let crQpOffset: i32 = 0;
export let saoLuma: bool = false;
export let saoChroma: bool = false;
export let isDeblockingOff: bool = false;
/** slice_beta_offset_div2 and slice_tc_offset_div2, doubled. */
export let betaOffset: i32 = 0;
export let tcOffset: i32 = 0;

/** PicWidthInCtbsY and PicHeightInCtbsY. */
export let ctbColumns: i32 = 0;
export let ctbRows: i32 = 0;

/** How many samples are free at both sides of a row. */
const MARGIN: usize = 64;

/** The distance between rows of luma. For chroma it is half. */
export let stride: usize = 0;
/** The distance between rows of arrays that have one entry per 4 × 4 block. */
export let blockStride: usize = 0;
/** SAO parameters per CTB of the picture, see sao.ts. */
export let saoParams: usize = 0;
export const SAO_BYTES: usize = 32;
/** A finished CTB row, as wide as the picture: luma, then Cb, then Cr. */
export let output: usize = 0;
/** The coded data. */
export let input: usize = 0;

// The arrays of the picture. The addresses are those of the CTB row that {@link beginCtbRow} has set.

/** Samples. */
export let luma: usize = 0;
export let cb: usize = 0;
export let cr: usize = 0;
/** QpY per 4 × 4 block. */
export let qps: usize = 0;
/** Transform block edges per 4 × 4 block: 1 at its left, 2 at its top. */
export let edges: usize = 0;
/** IntraPredModeY per 4 × 4 block. */
export let predModes: usize = 0;
/** CtDepth per 4 × 4 block. */
export let ctDepths: usize = 0;
/** The CTB row of these addresses. */
let ctbRow: i32 = 0;

const WASM_PAGE: usize = 65536;
/** How many readable bytes follow the coded data. */
const INPUT_MARGIN: usize = 65536;

/**
 * Reads the parameters and lays out memory.
 *
 * @param inputBytes the length of the coded data
 */
export function layOut(inputBytes: usize): void {
  width = parameter(0);
  height = parameter(1);
  ctbLog2 = parameter(2);
  minCbLog2 = parameter(3);
  minTbLog2 = parameter(4);
  maxTbLog2 = parameter(5);
  maxTransformHierarchyDepth = parameter(6);
  strongIntraSmoothing = parameter(7) !== 0;
  signDataHiding = parameter(8) !== 0;
  transformSkipEnabled = parameter(9) !== 0;
  minCuQpDeltaLog2 = parameter(10);
  entropyCodingSync = parameter(11) !== 0;
  scalingListEnabled = parameter(12) !== 0;
  ppsCbQpOffset = parameter(13);
  ppsCrQpOffset = parameter(14);
  sliceQp = parameter(15);
  cbQpOffset = parameter(16);
  crQpOffset = parameter(17);
  saoLuma = parameter(18) !== 0;
  saoChroma = parameter(19) !== 0;
  isDeblockingOff = parameter(20) !== 0;
  betaOffset = parameter(21) << 1;
  tcOffset = parameter(22) << 1;

  const side = 1 << ctbLog2;
  ctbColumns = (width + side - 1) >> ctbLog2;
  ctbRows = (height + side - 1) >> ctbLog2;
  ctbRow = 0;
  const ctbs = (ctbColumns as usize) * (ctbRows as usize);
  stride = (ctbColumns as usize) * (side as usize) + 2 * MARGIN;
  blockStride = stride >> 2;
  const samples = (ctbRows as usize) * (side as usize) * stride;

  let at = (__heap_base + 15) & ~15;
  luma = at + MARGIN;
  at += samples;
  cb = at + (MARGIN >> 1);
  at += samples >> 2;
  cr = at + (MARGIN >> 1);
  at += samples >> 2;
  const blocks = samples >> 4;
  edges = at + (MARGIN >> 2);
  qps = edges + blocks;
  predModes = qps + blocks;
  ctDepths = predModes + blocks;
  saoParams = at + 4 * blocks;
  output = saoParams + ctbs * SAO_BYTES;
  input = (output + (((width as usize) * (side as usize) * 3) >> 1) + 31) & ~15;

  const needed = input + inputBytes + INPUT_MARGIN;
  const present = (memory.size() as usize) * WASM_PAGE;
  if (needed > present) {
    if (memory.grow(((needed - present + WASM_PAGE - 1) / WASM_PAGE) as i32) < 0) unreachable();
  }
  memory.fill(at, 0, blocks);
}

function parameter(index: usize): i32 {
  return load<i32>(PARAMETERS + 4 * index);
}

/** Sets the addresses of the arrays of the picture to a CTB row. */
export function beginCtbRow(row: i32): void {
  const samples = ((row - ctbRow) << ctbLog2) * (stride as i32);
  ctbRow = row;
  luma += samples as usize;
  cb += (samples >> 2) as usize;
  cr += (samples >> 2) as usize;
  edges += (samples >> 4) as usize;
  qps += (samples >> 4) as usize;
  predModes += (samples >> 4) as usize;
  ctDepths += (samples >> 4) as usize;
}
