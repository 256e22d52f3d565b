/**
 * What is known of a picture, and where its parts are in memory.
 *
 * Of its values, two rows of coding tree blocks are held: the window. The lower one is decoded; the upper one waits for
 * its lowest rows to be smoothed together with the lower one's highest.
 */

/** What the caller says of a picture, i32 each, in this order. */
export const PARAMETERS = memory.data(4 * 16, 16);
/** See ScalingFactors in scaling-lists.ts. */
export const SCALING = memory.data(3 * 16 + 3 * 64 + 3 * 256 + 1024, 16);

export let width: i32 = 0;
export let height: i32 = 0;
export let treeLog2: i32 = 0;
export let leastBlockLog2: i32 = 0;
export let leastTransformLog2: i32 = 0;
export let mostTransformLog2: i32 = 0;
export let transformDepth: i32 = 0;
export let smoothsStrongly: bool = false;
export let hidesSigns: bool = false;
export let skipsTransforms: bool = false;
/** Of the blocks for which quantizers are told; nothing where it is larger than any. */
export let quantizerBlockLog2: i32 = 0;
export let beginsRowsAnew: bool = false;
export let isScaled: bool = false;
/** What is added to the quantizers of chroma for the smoothing of edges: that of the slices is left out. */
export let blueOfPicture: i32 = 0;
export let redOfPicture: i32 = 0;

/** How many coding tree blocks stand beside each other, and below. */
export let treeColumns: i32 = 0;
export let treeRows: i32 = 0;

/** How many values are left free at both sides of a row. */
export const MARGIN: usize = 64;
/** How many rows are held above the window: of the row of coding tree blocks before, the last is needed. */
export const ROWS_ABOVE: usize = 1;

/** From one row of luma to the next; chroma has half as much. */
export let stride: usize = 0;
/** The first values of the window: of luma, blue and red. */
export let luma: usize = 0;
export let blue: usize = 0;
export let red: usize = 0;
/** The row above the lower row of coding tree blocks, as it was before it was smoothed. */
export let lumaAbove: usize = 0;
export let blueAbove: usize = 0;
export let redAbove: usize = 0;
/** Where finished rows go, as wide as the picture: luma, then blue, then red. */
export let finished: usize = 0;

/** How many blocks of 4 stand beside each other in a row of the following, with one before them. */
export let unitStride: usize = 0;
/** For each block of 4 of the window, its quantizer. */
export let quantizers: usize = 0;
/** For each, whether there is an edge at its left (1) and at its top (2). */
export let edges: usize = 0;
/** For each of the lower row of coding tree blocks, its intra prediction mode. */
export let modes: usize = 0;
/** For each, how often its coding tree block was divided; the row above is the last of the upper one. */
export let depths: usize = 0;
/** For each coding tree block of the window: 32 bytes of what is added to its values, see offsets.ts. */
export let offsets: usize = 0;
export const OFFSET_BYTES: usize = 32;
/** For each coding tree block of the picture, the first of its slice, i32 each; -1 where it was not decoded. */
export let slices: usize = 0;
/** Where coded data go. */
export let input: usize = 0;

const WASM_PAGE: usize = 65536;
/** Behind coded data there are so many zeros. */
export const INPUT_MARGIN: usize = 65536;

/**
 * Takes the parameters over, and makes room.
 *
 * @param inputBytes of the longest coded data
 */
export function layOut(inputBytes: usize): void {
  width = parameter(0);
  height = parameter(1);
  treeLog2 = parameter(2);
  leastBlockLog2 = parameter(3);
  leastTransformLog2 = parameter(4);
  mostTransformLog2 = parameter(5);
  transformDepth = parameter(6);
  smoothsStrongly = parameter(7) !== 0;
  hidesSigns = parameter(8) !== 0;
  skipsTransforms = parameter(9) !== 0;
  quantizerBlockLog2 = parameter(10);
  beginsRowsAnew = parameter(11) !== 0;
  isScaled = parameter(12) !== 0;
  blueOfPicture = parameter(13);
  redOfPicture = parameter(14);

  const side = 1 << treeLog2;
  treeColumns = (width + side - 1) >> treeLog2;
  treeRows = (height + side - 1) >> treeLog2;
  const columns = treeColumns as usize;
  const rows = 2 * (side as usize);
  const units = (columns * (side as usize)) >> 2;
  stride = columns * (side as usize) + 2 * MARGIN;

  let at = (__heap_base + 15) & ~15;
  luma = at + ROWS_ABOVE * stride + MARGIN;
  at += (rows + ROWS_ABOVE) * stride;
  const half = stride >> 1;
  blue = at + ROWS_ABOVE * half + (MARGIN >> 1);
  at += ((rows >> 1) + ROWS_ABOVE) * half;
  red = at + ROWS_ABOVE * half + (MARGIN >> 1);
  at += ((rows >> 1) + ROWS_ABOVE) * half;
  lumaAbove = at + MARGIN;
  at += stride;
  blueAbove = at + (MARGIN >> 1);
  at += half;
  redAbove = at + (MARGIN >> 1);
  at += half;
  finished = at;
  at += (width as usize) * (side as usize) + 2 * ((width as usize) >> 1) * ((side as usize) >> 1);
  at = (at + 31) & ~15;

  unitStride = units + 16;
  const unitRows = rows >> 2;
  quantizers = at + 8;
  at += unitStride * unitRows;
  edges = at + 8;
  at += unitStride * unitRows;
  modes = at + 8;
  at += unitStride * (unitRows >> 1);
  depths = at + unitStride + 8;
  at += unitStride * ((unitRows >> 1) + 1);
  offsets = at;
  at += 2 * columns * OFFSET_BYTES;
  slices = (at + 15) & ~15;
  at = slices + 4 * columns * (treeRows as usize);
  input = (at + 15) & ~15;

  const needed = input + inputBytes + INPUT_MARGIN;
  const present = (memory.size() as usize) * WASM_PAGE;
  if (needed > present) {
    if (memory.grow(((needed - present + WASM_PAGE - 1) / WASM_PAGE) as i32) < 0) unreachable();
  }
  memory.fill(__heap_base, 0, input - __heap_base);
  for (let tree: usize = 0; tree < columns * (treeRows as usize); tree++) store<i32>(slices + 4 * tree, -1);
}

function parameter(index: usize): i32 {
  return load<i32>(PARAMETERS + 4 * index);
}

/** Makes the lower row of coding tree blocks the upper one. */
export function moveUp(): void {
  const rows: usize = 1 << (treeLog2 as usize);
  const half = stride >> 1;
  memory.copy(luma - stride - MARGIN, luma + (rows - 1) * stride - MARGIN, (rows + 1) * stride);
  const chromaRows = rows >> 1;
  const margin = MARGIN >> 1;
  memory.copy(blue - half - margin, blue + (chromaRows - 1) * half - margin, (chromaRows + 1) * half);
  memory.copy(red - half - margin, red + (chromaRows - 1) * half - margin, (chromaRows + 1) * half);
  const units = (rows >> 2) * unitStride;
  memory.copy(quantizers - 8, quantizers - 8 + units, units);
  memory.copy(edges - 8, edges - 8 + units, units);
  memory.fill(edges - 8 + units, 0, units);
  memory.copy(depths - 8 - unitStride, depths - 8 + units - unitStride, unitStride);
  const trees = (treeColumns as usize) * OFFSET_BYTES;
  memory.copy(offsets, offsets + trees, trees);
}

/** Keeps the last row that was decoded, for what is predicted from it. */
export function keepLastRow(): void {
  const rows: usize = 1 << (treeLog2 as usize);
  const half = stride >> 1;
  memory.copy(lumaAbove - MARGIN, luma + (2 * rows - 1) * stride - MARGIN, stride);
  const margin = MARGIN >> 1;
  memory.copy(blueAbove - margin, blue + (rows - 1) * half - margin, half);
  memory.copy(redAbove - margin, red + (rows - 1) * half - margin, half);
}
