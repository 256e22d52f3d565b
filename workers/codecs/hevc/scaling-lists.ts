import type { BitReader } from "./bit-reader.ts";

/**
 * By how much coefficients of blocks of intra prediction are scaled, a byte each, row by row: of luma, blue and red,
 * for blocks of 4, 8 and 16, and of luma for those of 32, one behind the other.
 */
export type ScalingFactors = Uint8Array<ArrayBuffer>;

/** One list in the order of the diagonal scan, and what stands in the place of its first for large blocks. */
interface ScalingList {
  readonly values: readonly number[];
  readonly first: number;
}

/** Of 4, 8, 16 and 32: lists for luma, blue and red of intra prediction, then of inter prediction. */
type ScalingLists = readonly (readonly ScalingList[])[];

const SIZES = 4;
const MATRICES = 6;
const FLAT = 16;
/** Table 7-6; those of inter prediction, whose lists are passed over here, are others. */
const DEFAULT_INTRA = [
  ...[16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 17, 16, 17, 16, 17, 18, 17, 18, 18, 17, 18, 21, 19, 20, 21, 20],
  ...[19, 21, 24, 22, 22, 24, 24, 22, 22, 24, 25, 25, 27, 30, 27, 25, 25, 29, 31, 35, 35, 31, 29, 36, 41, 44],
  ...[41, 36, 47, 54, 54, 47, 65, 70, 65, 88, 88, 115],
];
function defaultList(size: number): ScalingList {
  return { values: size === 0 ? new Array<number>(16).fill(FLAT) : DEFAULT_INTRA, first: FLAT };
}

let byDefault: ScalingFactors | undefined;

/** The factors that hold where scaling is on, but no lists are given. */
export function defaultFactors(): ScalingFactors {
  byDefault ??= factorsOf(
    Array.from({ length: SIZES }, (_, size) => new Array<ScalingList>(MATRICES).fill(defaultList(size))),
  );
  return byDefault;
}

/** Reads lists as both kinds of parameter sets have them (ITU-T H.265, 7.3.4). */
export function readScalingLists(bits: BitReader): ScalingFactors {
  return factorsOf(Array.from({ length: SIZES }, (_, size) => readSize(bits, size)));
}

function readSize(bits: BitReader, size: number): readonly ScalingList[] {
  const lists: ScalingList[] = [];
  // Of the largest blocks, there are lists for luma alone.
  const step = size === SIZES - 1 ? 3 : 1;
  for (let matrix = 0; matrix < MATRICES; matrix++) {
    if (matrix % step !== 0) lists.push(defaultList(size));
    else lists.push(bits.flag() ? readList(bits, size) : reference(bits, { size, matrix, step, lists }));
  }
  return lists;
}

interface ListPlace {
  readonly size: number;
  readonly matrix: number;
  readonly step: number;
  readonly lists: readonly ScalingList[];
}

/** A list that is one before, or the default. */
function reference(bits: BitReader, { size, matrix, step, lists }: ListPlace): ScalingList {
  const back = bits.within(0, matrix / step, bits.unsigned());
  const before = back === 0 ? undefined : lists[matrix - back * step];
  return before ?? defaultList(size);
}

function readList(bits: BitReader, size: number): ScalingList {
  let next = size > 1 ? bits.within(1, 255, bits.signed() + 8) : 8;
  const first = size > 1 ? next : FLAT;
  const values: number[] = [];
  const count = size === 0 ? 16 : 64;
  while (values.length < count) {
    next = (next + bits.within(-128, 127, bits.signed()) + 256) % 256;
    values.push(bits.within(1, 255, next));
  }
  return { values, first };
}

function factorsOf(lists: ScalingLists): ScalingFactors {
  const factors = lists.flatMap((ofSize, size) => {
    const colors = size === SIZES - 1 ? 1 : 3;
    return ofSize.slice(0, colors).flatMap((list) => blockOf(list, size));
  });
  return Uint8Array.from(factors);
}

/** A list spread over a block. */
function blockOf({ values, first }: ScalingList, size: number): number[] {
  const side = 4 << size;
  const listed = Math.min(side, 8);
  const ratio = side / listed;
  const places = diagonal(listed);
  const grid = new Array<number>(listed * listed).fill(FLAT);
  for (const [index, place] of places.entries()) grid[place] = values[index] ?? FLAT;
  const block = Array.from({ length: side * side }, (_, at) => {
    const [x, y] = [at % side, Math.floor(at / side)];
    return grid[Math.floor(y / ratio) * listed + Math.floor(x / ratio)] ?? FLAT;
  });
  if (size > 1) block[0] = first;
  return block;
}

/** The places of a block from its first corner on, up to the right along each diagonal (6.5.3). */
function diagonal(side: number): number[] {
  const places: number[] = [];
  for (let sum = 0; sum < 2 * side - 1; sum++) {
    for (let y = Math.min(sum, side - 1); y >= 0 && sum - y < side; y--) places.push(y * side + sum - y);
  }
  return places;
}
