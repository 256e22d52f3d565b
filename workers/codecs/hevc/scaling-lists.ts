import { type BitReader, inRange } from "./bit-reader.ts";

/**
 * ScalingFactor of intra blocks (ITU-T H.265, 7.4.5), a byte each, row by row: for sizes 4, 8 and 16 the matrices of
 * luma, Cb and Cr, then for size 32 that of luma, one after the other.
 */
export type ScalingFactors = Uint8Array<ArrayBuffer>;

/** scaling_list_dc_coef and the ScalingList in the order of the up-right diagonal scan. */
interface ScalingList {
  readonly dc: number;
  readonly values: readonly number[];
}

/** sizeId: 0 to 3 for blocks of 4, 8, 16 and 32. matrixId: Y, Cb and Cr of intra blocks, then of inter blocks. */
const SIZES = 4;
const MATRICES = 6;
const FLAT = 16;
/** Table 7-6. Only intra blocks are decoded, so that of inter blocks is not needed. */
const DEFAULT_INTRA = [
  ...[16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 17, 16, 17, 16, 17, 18, 17, 18, 18, 17, 18, 21, 19, 20, 21, 20],
  ...[19, 21, 24, 22, 22, 24, 24, 22, 22, 24, 25, 25, 27, 30, 27, 25, 25, 29, 31, 35, 35, 31, 29, 36, 41, 44],
  ...[41, 36, 47, 54, 54, 47, 65, 70, 65, 88, 88, 115],
];

function defaultList(sizeId: number): ScalingList {
  return { dc: FLAT, values: sizeId === 0 ? new Array<number>(16).fill(FLAT) : DEFAULT_INTRA };
}

let defaults: ScalingFactors | undefined;

/** Returns the default scaling factors (7.4.5), for scaling_list_enabled_flag without lists. */
export function defaultScalingFactors(): ScalingFactors {
  defaults ??= factorsOf((sizeId) => new Array<ScalingList>(MATRICES).fill(defaultList(sizeId)));
  return defaults;
}

/** Reads scaling_list_data() of an SPS or a PPS (7.3.4). */
export function readScalingLists(bits: BitReader): ScalingFactors {
  return factorsOf((sizeId) => {
    const lists: ScalingList[] = [];
    // Blocks of 32 have lists for luma only.
    const step = sizeId === SIZES - 1 ? 3 : 1;
    for (let matrixId = 0; matrixId < MATRICES; matrixId++) {
      if (matrixId % step !== 0) lists.push(defaultList(sizeId));
      // scaling_list_pred_mode_flag.
      else if (bits.flag()) lists.push(readList(bits, sizeId));
      else {
        // scaling_list_pred_matrix_id_delta: 0 for the default list.
        const delta = bits.ue(0, matrixId / step);
        const reference = delta === 0 ? undefined : lists[matrixId - delta * step];
        lists.push(reference ?? defaultList(sizeId));
      }
    }
    return lists;
  });
}

function readList(bits: BitReader, sizeId: number): ScalingList {
  let next = sizeId > 1 ? 8 + bits.se(-7, 247) : 8;
  const dc = sizeId > 1 ? next : FLAT;
  const values: number[] = [];
  const count = sizeId === 0 ? 16 : 64;
  while (values.length < count) {
    next = (next + bits.se(-128, 127) + 256) % 256;
    values.push(inRange(next, 1, 255));
  }
  return { dc, values };
}

/** Takes the lists of each size in turn, and keeps those of intra blocks. */
function factorsOf(listsOf: (sizeId: number) => readonly ScalingList[]): ScalingFactors {
  const matrices: number[][] = [];
  for (let sizeId = 0; sizeId < SIZES; sizeId++) {
    const components = sizeId === SIZES - 1 ? 1 : 3;
    for (const list of listsOf(sizeId).slice(0, components)) matrices.push(matrixOf(list, sizeId));
  }
  return Uint8Array.from(matrices.flat());
}

/** Spreads a list over a block (7.4.5). */
function matrixOf({ values, dc }: ScalingList, sizeId: number): number[] {
  const size = 4 << sizeId;
  const listSize = Math.min(size, 8);
  const ratio = size / listSize;
  const grid = new Array<number>(listSize * listSize).fill(FLAT);
  for (const [index, position] of diagonalScan(listSize).entries()) grid[position] = values[index] ?? FLAT;
  const matrix = Array.from({ length: size * size }, (_, at) => {
    const [x, y] = [at % size, Math.floor(at / size)];
    return grid[Math.floor(y / ratio) * listSize + Math.floor(x / ratio)] ?? FLAT;
  });
  if (sizeId > 1) matrix[0] = dc;
  return matrix;
}

/** Returns the positions of a block in the order of the up-right diagonal scan (6.5.3). */
function diagonalScan(size: number): number[] {
  const positions: number[] = [];
  for (let sum = 0; sum < 2 * size - 1; sum++) {
    for (let y = Math.min(sum, size - 1); y >= 0 && sum - y < size; y--) positions.push(y * size + sum - y);
  }
  return positions;
}
