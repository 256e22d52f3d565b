/**
 * The parameters of a picture, and the memory layout.
 *
 * Memory holds a window of two CTB rows. The lower row is decoded. The upper row waits: its lowest samples are
 * deblocked together with the highest of the lower row.
 */

/** The parameters of a picture, i32 each, in the order of {@link layOut}. hevc-decoder.ts writes them. */
export const PARAMETERS = memory.data(4 * 16, 16);
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

/** PicWidthInCtbsY and PicHeightInCtbsY. */
export let ctbColumns: i32 = 0;
export let ctbRows: i32 = 0;

/** How many samples are free at both sides of a row. */
const MARGIN: usize = 64;
/** How many rows are held above the window: the last row of the CTB row before. */
const ROWS_ABOVE: usize = 1;

/** The distance between rows of luma. For chroma it is half. */
export let stride: usize = 0;
/** The first samples of the window. */
export let luma: usize = 0;
export let cb: usize = 0;
export let cr: usize = 0;
/** The last row above the lower CTB row, before deblocking. */
export let lumaAbove: usize = 0;
export let cbAbove: usize = 0;
export let crAbove: usize = 0;
/** Finished rows, as wide as the picture: luma, then Cb, then Cr. */
export let output: usize = 0;

/** The length of a row in arrays that have one entry per 4 × 4 block. */
export let blockStride: usize = 0;
/** QpY per 4 × 4 block of the window. */
export let qps: usize = 0;
/** Transform block edges per 4 × 4 block of the window: 1 at its left, 2 at its top. */
export let edges: usize = 0;
/** IntraPredModeY per 4 × 4 block of the lower CTB row. */
export let predModes: usize = 0;
/** CtDepth per 4 × 4 block of the lower CTB row and of the row above it. */
export let ctDepths: usize = 0;
/** SAO parameters per CTB of the window, see sao.ts. */
export let saoParams: usize = 0;
export const SAO_BYTES: usize = 32;
/** SliceAddrRs per CTB of the picture, i32 each; -1 if the CTB is not decoded yet. */
export let sliceAddrs: usize = 0;
/** The coded data. */
export let input: usize = 0;

const WASM_PAGE: usize = 65536;
/** How many readable bytes follow the coded data. */
const INPUT_MARGIN: usize = 65536;

/**
 * Reads the parameters and lays out memory.
 *
 * @param inputBytes the length of the longest slice segment
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

  const side = 1 << ctbLog2;
  ctbColumns = (width + side - 1) >> ctbLog2;
  ctbRows = (height + side - 1) >> ctbLog2;
  const columns = ctbColumns as usize;
  const rows = 2 * (side as usize);
  const blocks = (columns * (side as usize)) >> 2;
  stride = columns * (side as usize) + 2 * MARGIN;

  let at = (__heap_base + 15) & ~15;
  luma = at + ROWS_ABOVE * stride + MARGIN;
  at += (rows + ROWS_ABOVE) * stride;
  const half = stride >> 1;
  cb = at + ROWS_ABOVE * half + (MARGIN >> 1);
  at += ((rows >> 1) + ROWS_ABOVE) * half;
  cr = at + ROWS_ABOVE * half + (MARGIN >> 1);
  at += ((rows >> 1) + ROWS_ABOVE) * half;
  lumaAbove = at + MARGIN;
  at += stride;
  cbAbove = at + (MARGIN >> 1);
  at += half;
  crAbove = at + (MARGIN >> 1);
  at += half;
  output = at;
  at += (width as usize) * (side as usize) + 2 * ((width as usize) >> 1) * ((side as usize) >> 1);
  at = (at + 31) & ~15;

  blockStride = blocks + 16;
  const blockRows = rows >> 2;
  qps = at + 8;
  at += blockStride * blockRows;
  edges = at + 8;
  at += blockStride * blockRows;
  predModes = at + 8;
  at += blockStride * (blockRows >> 1);
  ctDepths = at + blockStride + 8;
  at += blockStride * ((blockRows >> 1) + 1);
  saoParams = at;
  at += 2 * columns * SAO_BYTES;
  sliceAddrs = (at + 15) & ~15;
  at = sliceAddrs + 4 * columns * (ctbRows as usize);
  input = (at + 15) & ~15;

  const needed = input + inputBytes + INPUT_MARGIN;
  const present = (memory.size() as usize) * WASM_PAGE;
  if (needed > present) {
    if (memory.grow(((needed - present + WASM_PAGE - 1) / WASM_PAGE) as i32) < 0) unreachable();
  }
  memory.fill(__heap_base, 0, input - __heap_base);
  for (let ctb: usize = 0; ctb < columns * (ctbRows as usize); ctb++) store<i32>(sliceAddrs + 4 * ctb, -1);
}

function parameter(index: usize): i32 {
  return load<i32>(PARAMETERS + 4 * index);
}

/** Moves the lower CTB row of the window up. */
export function shiftWindow(): void {
  const rows: usize = 1 << (ctbLog2 as usize);
  const half = stride >> 1;
  memory.copy(luma - stride - MARGIN, luma + (rows - 1) * stride - MARGIN, (rows + 1) * stride);
  const chromaRows = rows >> 1;
  const margin = MARGIN >> 1;
  memory.copy(cb - half - margin, cb + (chromaRows - 1) * half - margin, (chromaRows + 1) * half);
  memory.copy(cr - half - margin, cr + (chromaRows - 1) * half - margin, (chromaRows + 1) * half);
  const blocks = (rows >> 2) * blockStride;
  memory.copy(qps - 8, qps - 8 + blocks, blocks);
  memory.copy(edges - 8, edges - 8 + blocks, blocks);
  memory.fill(edges - 8 + blocks, 0, blocks);
  memory.copy(ctDepths - 8 - blockStride, ctDepths - 8 + blocks - blockStride, blockStride);
  const ctbs = (ctbColumns as usize) * SAO_BYTES;
  memory.copy(saoParams, saoParams + ctbs, ctbs);
}

/** Saves the last decoded row before deblocking, as reference samples of the next CTB row. */
export function saveLastRow(): void {
  const rows: usize = 1 << (ctbLog2 as usize);
  const half = stride >> 1;
  memory.copy(lumaAbove - MARGIN, luma + (2 * rows - 1) * stride - MARGIN, stride);
  const margin = MARGIN >> 1;
  memory.copy(cbAbove - margin, cb + (rows - 1) * half - margin, half);
  memory.copy(crAbove - margin, cr + (rows - 1) * half - margin, half);
}
