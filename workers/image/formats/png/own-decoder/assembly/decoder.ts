/**
 * What takes time in reading a PNG: its data is unpacked, and bands of rows are made of it, as both come. It allocates
 * nothing, trusts its caller for the room in memory, and nobody for what the data says: see png-decoder.ts.
 *
 * This is AssemblyScript: `scripts/assemble.mjs` compiles it.
 */
import { addToSum, startSum, sum } from "./adler";
import { inputAt, setInput } from "./bit-input";
import { unfilter } from "./filters";
import { inflate, Step, setUnpackedEnd, startInflate, unpackedEnd } from "./inflate";
import { INPUT, UNPACKED } from "./layout";

/** As far back as data may be repeated. */
const WINDOW: usize = 32_768;
/** As much as is unpacked at a time, at least. */
const STRETCH: usize = 65_536;
/** Rows are written in steps of four pixels, and so far beyond their end. */
const SPARE: usize = 64;

let width: usize = 0;
let pixelBytes: usize = 0;
/** How many bytes a row has that is unpacked, its filter included, and one that is made. */
let packedBytes: usize = 0;
let rowBytes: usize = 0;
/** Where unpacked data has to end. */
let limit: usize = 0;
/** Where bands are, behind a row: the last one before them. */
let band: usize = 0;
let bandRows: u32 = 0;
/** How many rows are not in bands that have been given. */
let left: u32 = 0;
/** How many rows the band has, and whether it has been given. */
let made: u32 = 0;
let isGiven: bool = false;
/** Where the first row is that nothing has been made of. */
let row: usize = 0;
let hasEnded: bool = false;

/**
 * Begins a picture.
 *
 * @param across how many pixels a row has
 * @param bytes how many bytes a pixel has: three or four
 * @param down how many rows there are
 * @param most of how many rows a band is
 * @param input where the input begins
 * @returns where the memory ends that is needed, of which the row before bands is to be zero
 */
export function start(across: usize, bytes: usize, down: u32, most: u32, input: usize): usize {
  width = across;
  pixelBytes = bytes;
  packedBytes = 1 + across * bytes;
  rowBytes = 4 * across;
  limit = UNPACKED + WINDOW + STRETCH + packedBytes;
  band = ((limit + SPARE + 15) & ~15) + rowBytes;
  bandRows = most;
  left = down;
  made = 0;
  isGiven = false;
  row = UNPACKED;
  hasEnded = false;
  startSum();
  startInflate();
  setInput(input);
  return band + (most as usize) * rowBytes + SPARE;
}

/** Where a band is. */
export function bandAt(): usize {
  return band;
}

/** How many rows it has. */
export function rowsMade(): u32 {
  return made;
}

/**
 * Goes on until there is a band, or no more input.
 *
 * @param end where the input ends
 * @param isAll whether that is all of it, behind which are zeros
 */
export function decode(end: usize, isAll: bool): Step {
  goOn();
  const wanted = min(bandRows, left);
  while (makeRows(wanted)) {
    if (made === wanted && wanted > 0) {
      isGiven = true;
      return Step.full;
    }
    if (hasEnded) return left === 0 && row === unpackedEnd() ? Step.ended : Step.damaged;
    const step = inflate(end, isAll, limit);
    if (step === Step.damaged) return step;
    if (step === Step.ended) hasEnded = true;
    // There are more rows than the picture has.
    else if (left === 0 && unpackedEnd() > row) return Step.damaged;
    else if (unpackedEnd() - row < packedBytes) {
      if (step === Step.hungry) return step;
      forget();
    }
  }
  return Step.damaged;
}

/** Begins the next band, under the last row of the one that has been given. */
function goOn(): void {
  if (!isGiven) return;
  memory.copy(band - rowBytes, band + (made as usize) * rowBytes - rowBytes, rowBytes);
  left -= made;
  made = 0;
  isGiven = false;
}

/** Makes as many rows as are wanted and can be made; tells whether all are such as there can be. */
function makeRows(wanted: u32): bool {
  const end = unpackedEnd();
  for (; made < wanted && end - row >= packedBytes; made++, row += packedBytes) {
    const to = band + (made as usize) * rowBytes;
    if (!unfilter(row, to, to - rowBytes, width, pixelBytes)) return false;
    addToSum(row, packedBytes);
  }
  return true;
}

/** Lets go what can no longer be repeated. */
function forget(): void {
  const end = unpackedEnd();
  const kept = min(end - WINDOW, row);
  memory.copy(UNPACKED, kept, end - kept);
  row -= kept - UNPACKED;
  setUnpackedEnd(end - (kept - UNPACKED));
}

/** Whether the sum of all that has been unpacked stands at the input's end. */
export function isWhole(end: usize): bool {
  const at = inputAt();
  return at + 4 === end && bswap<u32>(load<u32>(at)) === sum();
}

/** Moves what is left of the input to the beginning of its place, and says where it ends now. */
export function keepInput(end: usize): usize {
  const at = inputAt();
  memory.copy(INPUT, at, end - at);
  setInput(INPUT);
  return INPUT + end - at;
}
