import { strongIntraSmoothing } from "./picture";
import { copyRun, fillRun } from "./runs";
import { INTRA_PRED_ANGLES, INV_ANGLES } from "./tables";
import { storeTransposed, TRANSPOSED } from "./transpose";

export const PLANAR: i32 = 0;
export const DC: i32 = 1;
export const HORIZONTAL: i32 = 10;
export const VERTICAL: i32 = 26;

/**
 * The reference samples of a block: the corner, then those above and above right; and the corner, then those left
 * and below left. 32 bytes before each are free for the extension of angular modes.
 */
const ABOVE = memory.data(160, 16);
const LEFT = memory.data(160, 16);
const FILTERED_ABOVE = memory.data(160, 16);
const FILTERED_LEFT = memory.data(160, 16);
const above: usize = ABOVE + 32;
const left: usize = LEFT + 32;
const filteredAbove: usize = FILTERED_ABOVE + 32;
const filteredLeft: usize = FILTERED_LEFT + 32;
/** Which reference samples are available. */
let hasLeft: bool = false;
let hasAbove: bool = false;
let hasCorner: bool = false;
/** How many samples are available below left and above right. */
let belowLeft: usize = 0;
let aboveRight: usize = 0;

/** Sets which reference samples of the next block are available. */
export function setNeighbors(
  isLeft: bool,
  isAbove: bool,
  samplesBelowLeft: usize,
  samplesAboveRight: usize,
): void {
  hasLeft = isLeft;
  hasAbove = isAbove;
  hasCorner = isLeft && isAbove;
  belowLeft = samplesBelowLeft;
  aboveRight = samplesAboveRight;
}

/** Predicts a block from its neighbors (ITU-T H.265, 8.4.4.2). */
export function predict(target: usize, stride: usize, log2: usize, mode: i32, isLuma: bool): void {
  const size: usize = 1 << log2;
  collectNeighbors(target, stride, size);
  let top = above;
  let side = left;
  if (isLuma && isFiltered(size, mode)) {
    filterNeighbors(size);
    top = filteredAbove;
    side = filteredLeft;
  }
  if (mode === PLANAR) predictPlanar(target, stride, log2, top, side);
  else if (mode === DC) predictDc(target, stride, log2, isLuma);
  else predictAngular(target, stride, size, mode, isLuma, top, side);
}

/** Collects the reference samples and substitutes those that are not available (8.4.4.2.2). */
function collectNeighbors(target: usize, stride: usize, size: usize): void {
  if (!hasLeft && !hasAbove && !hasCorner && belowLeft === 0 && aboveRight === 0) {
    memory.fill(above, 128, 2 * size + 1);
    memory.fill(left, 128, 2 * size + 1);
    return;
  }
  const row = target - stride;
  const present = (hasLeft ? size : 0) + belowLeft;
  let column = target - 1 + (hasLeft ? 0 : size * stride);
  let at = left + (hasLeft ? 1 : 1 + size);
  for (let index: usize = 0; index < present; index++) {
    store<u8>(at++, load<u8>(column));
    column += stride;
  }
  if (hasAbove) copyRun(above + 1, row, size);
  if (aboveRight === size) copyRun(above + 1 + size, row + size, size);
  else if (aboveRight > 0) memory.copy(above + 1 + size, row + size, aboveRight);

  // The first available sample in the order of the substitution process, from the lower left.
  const lowest: u8 =
    belowLeft > 0
      ? load<u8>(left + size + belowLeft)
      : hasLeft
        ? load<u8>(left + size)
        : hasCorner
          ? load<u8>(row - 1)
          : hasAbove
            ? load<u8>(above + 1)
            : load<u8>(above + 1 + size);
  if (belowLeft === 0) fillRun(left + 1 + size, lowest, size);
  else memory.fill(left + 1 + size + belowLeft, lowest, size - belowLeft);
  if (!hasLeft) memory.fill(left + 1, load<u8>(left + 1 + size), size);
  const corner = hasCorner ? load<u8>(row - 1) : load<u8>(left + 1);
  store<u8>(left, corner);
  store<u8>(above, corner);
  if (!hasAbove) memory.fill(above + 1, corner, size);
  if (aboveRight === 0) fillRun(above + 1 + size, load<u8>(above + size), size);
  else memory.fill(above + 1 + size + aboveRight, load<u8>(above + size + aboveRight), size - aboveRight);
}

function isFiltered(size: usize, mode: i32): bool {
  if (mode === DC || size === 4) return false;
  const distance = min(abs<i32>(mode - VERTICAL), abs<i32>(mode - HORIZONTAL));
  return distance > (size === 8 ? 7 : size === 16 ? 1 : 0);
}

/** Filters the reference samples (8.4.4.2.3). */
function filterNeighbors(size: usize): void {
  const far = 2 * size;
  const corner = load<u8>(above) as i32;
  if (strongIntraSmoothing && size === 32 && isFlat(above) && isFlat(left)) {
    interpolateSide(above, filteredAbove);
    interpolateSide(left, filteredLeft);
    return;
  }
  const filtered = ((load<u8>(above + 1) as i32) + 2 * corner + (load<u8>(left + 1) as i32) + 2) >> 2;
  filterSide(above, filteredAbove, far);
  filterSide(left, filteredLeft, far);
  store<u8>(filteredAbove, filtered as u8);
  store<u8>(filteredLeft, filtered as u8);
}

function isFlat(side: usize): bool {
  const bend = (load<u8>(side) as i32) + (load<u8>(side + 64) as i32) - 2 * (load<u8>(side + 32) as i32);
  return abs<i32>(bend) < 8;
}

function interpolateSide(from: usize, to: usize): void {
  const first = load<u8>(from) as i32;
  const last = load<u8>(from + 64) as i32;
  store<u8>(to, first as u8);
  for (let index: i32 = 1; index < 64; index++)
    store<u8>(to + (index as usize), (((64 - index) * first + index * last + 32) >> 6) as u8);
  store<u8>(to + 64, last as u8);
}

function filterSide(from: usize, to: usize, far: usize): void {
  for (let index: usize = 1; index < far; index += 8) {
    const before = v128.load8x8_u(from + index - 1);
    const here = v128.load8x8_u(from + index);
    const behind = v128.load8x8_u(from + index + 1);
    const sum = i16x8.add(i16x8.add(before, behind), i16x8.add(i16x8.shl(here, 1), i16x8.splat(2)));
    const filtered = i16x8.shr_u(sum, 2);
    v128.store64_lane(to + index, i8x16.narrow_i16x8_u(filtered, filtered), 0);
  }
  store<u8>(to + far, load<u8>(from + far));
}

/** INTRA_PLANAR (8.4.4.2.4). */
function predictPlanar(target: usize, stride: usize, log2: usize, top: usize, side: usize): void {
  const size: usize = 1 << log2;
  const right = load<u8>(top + 1 + size) as i16;
  const below = load<u8>(side + 1 + size) as i16;
  const ascending = i16x8(1, 2, 3, 4, 5, 6, 7, 8);
  for (let y: usize = 0; y < size; y++) {
    const row = target + y * stride;
    const start = load<u8>(side + 1 + y) as i16;
    const up = (size - 1 - y) as i16;
    const fixed = i16x8.splat(((y + 1) as i16) * below + (size as i16));
    for (let x: usize = 0; x < size; x += 8) {
      const nearness = i16x8.add(ascending, i16x8.splat(x as i16));
      const across = i16x8.add(
        i16x8.mul(nearness, i16x8.splat(right)),
        i16x8.mul(i16x8.sub(i16x8.splat(size as i16), nearness), i16x8.splat(start)),
      );
      const down = i16x8.mul(v128.load8x8_u(top + 1 + x), i16x8.splat(up));
      const sum = i16x8.add(i16x8.add(across, down), fixed);
      const values = i16x8.shr_u(sum, (log2 + 1) as i32);
      const bytes = i8x16.narrow_i16x8_u(values, values);
      if (size === 4) v128.store32_lane(row, bytes, 0);
      else v128.store64_lane(row + x, bytes, 0);
    }
  }
}

/** INTRA_DC (8.4.4.2.5). */
function predictDc(target: usize, stride: usize, log2: usize, isLuma: bool): void {
  const size: usize = 1 << log2;
  let sum: i32 = size as i32;
  for (let index: usize = 1; index <= size; index++)
    sum += (load<u8>(above + index) as i32) + (load<u8>(left + index) as i32);
  const dc = sum >> ((log2 + 1) as i32);
  for (let y: usize = 0; y < size; y++) fillRun(target + y * stride, dc, size);
  if (!isLuma || size === 32) return;
  for (let index: usize = 1; index < size; index++) {
    store<u8>(target + index, (((load<u8>(above + 1 + index) as i32) + 3 * dc + 2) >> 2) as u8);
    store<u8>(target + index * stride, (((load<u8>(left + 1 + index) as i32) + 3 * dc + 2) >> 2) as u8);
  }
  const corner = ((load<u8>(above + 1) as i32) + 2 * dc + (load<u8>(left + 1) as i32) + 2) >> 2;
  store<u8>(target, corner as u8);
}

/** INTRA_ANGULAR2 to INTRA_ANGULAR34 (8.4.4.2.6). Horizontal modes are predicted transposed. */
function predictAngular(
  target: usize,
  stride: usize,
  size: usize,
  mode: i32,
  isLuma: bool,
  top: usize,
  side: usize,
): void {
  const isVertical = mode >= 18;
  const angle = load<i8>(INTRA_PRED_ANGLES + (mode as usize)) as i32;
  const ref = isVertical ? top : side;
  const sideRef = isVertical ? side : top;
  const lastIndex = ((size as i32) * angle) >> 5;
  if (angle < 0 && lastIndex < -1) {
    const inverse = load<i16>(INV_ANGLES + 2 * ((mode - 11) as usize)) as i32;
    for (let index = -1; index >= lastIndex; index--) {
      const from = (index * inverse + 128) >> 8;
      store<u8>(ref + (index as usize), load<u8>(sideRef + (from as usize)));
    }
  }
  const into = isVertical ? target : TRANSPOSED;
  const step = isVertical ? stride : size;
  for (let y: usize = 0; y < size; y++) {
    const displacement = ((y as i32) + 1) * angle;
    const from = ref + 1 + ((displacement >> 5) as usize);
    const fraction = (displacement & 31) as i16;
    const row = into + y * step;
    if (fraction === 0) {
      copyRun(row, from, size);
      continue;
    }
    const near = i16x8.splat(32 - fraction);
    const far = i16x8.splat(fraction);
    for (let x: usize = 0; x < size; x += 8) {
      const sum = i16x8.add(
        i16x8.add(i16x8.mul(v128.load8x8_u(from + x), near), i16x8.splat(16)),
        i16x8.mul(v128.load8x8_u(from + x + 1), far),
      );
      const values = i16x8.shr_u(sum, 5);
      const bytes = i8x16.narrow_i16x8_u(values, values);
      if (size === 4) v128.store32_lane(row, bytes, 0);
      else v128.store64_lane(row + x, bytes, 0);
    }
  }
  if (angle === 0 && isLuma && size < 32) {
    const corner = load<u8>(sideRef) as i32;
    const first = load<u8>(ref + 1) as i32;
    for (let y: usize = 0; y < size; y++) {
      const change = ((load<u8>(sideRef + 1 + y) as i32) - corner) >> 1;
      store<u8>(into + y * step, max(0, min(255, first + change)) as u8);
    }
  }
  if (!isVertical) storeTransposed(target, stride, size);
}
