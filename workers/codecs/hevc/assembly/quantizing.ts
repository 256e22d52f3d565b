import { decode, decodeBits, decodeEven, QUANTISER_CHANGE } from "./arithmetic";
import { quantizers, unitStride } from "./picture";
import { tellBroken } from "./residual";
import { fillRun } from "./runs";
import { CHROMA_QUANTISERS } from "./tables";
import { lowerUnits, treeX, unit } from "./tree-place";

/** Quantizers: of the block before, what is predicted for the group of blocks, and the present one. */
let last: i32 = 0;
let predicted: i32 = 0;
export let current: i32 = 0;
let isChangeTold: bool = true;
/** What picture and slice add to the quantizer of luma for those of chroma. */
export let blueChange: i32 = 0;
export let redChange: i32 = 0;

/** What a slice says of quantizers. */
export function beginQuantizers(quantizer: i32, blueOffset: i32, redOffset: i32): void {
  restartQuantizers(quantizer);
  isChangeTold = true;
  blueChange = blueOffset;
  redChange = redOffset;
}

/** Begins the prediction of quantizers anew. */
export function restartQuantizers(quantizer: i32): void {
  last = current = quantizer;
}

/** Predicts the quantizer of a group of blocks (8.6.1). */
export function beginQuantizerGroup(x: i32, y: i32): void {
  isChangeTold = false;
  const lower = quantizers + lowerUnits() + unit(x, y);
  const beside = x > treeX ? (load<u8>(lower - 1) as i32) : last;
  const above = y > 0 ? (load<u8>(lower - unitStride) as i32) : last;
  predicted = current = (beside + above + 1) >> 1;
}

/** Decodes by how much the quantizer differs from what is predicted (7.3.8.14), once for a group of blocks. */
export function decodeQuantizer(): void {
  if (isChangeTold) return;
  isChangeTold = true;
  let value: i32 = 0;
  while (value < 5 && decode(QUANTISER_CHANGE + (value === 0 ? 0 : 1)) !== 0) value++;
  if (value === 5) {
    let bits = 0;
    while (bits < 8 && decodeEven() !== 0) value += 1 << bits++;
    value += decodeBits(bits) as i32;
  }
  const change = value !== 0 && decodeEven() !== 0 ? -value : value;
  // A change by more than half of all quantizers would be one the other way round.
  if (change < -26 || change > 25) tellBroken();
  current = (predicted + change + 104) % 52;
}

/** Notes the quantizer of a block. */
export function keepQuantizer(x: i32, y: i32, units: usize): void {
  const lower = quantizers + lowerUnits() + unit(x, y);
  for (let row: usize = 0; row < units; row++) fillRun(lower + row * unitStride, current, units);
  last = current;
}

/** The quantizer of chroma for what is added to that of luma. */
export function currentOfChroma(offset: i32): i32 {
  return chromaQuantizer(max(0, min(57, current + offset)));
}

/** Table 8-10. */
export function chromaQuantizer(ofLuma: i32): i32 {
  if (ofLuma < 30) return ofLuma;
  return ofLuma > 43 ? ofLuma - 6 : (load<u8>(CHROMA_QUANTISERS + ((ofLuma - 30) as usize)) as i32);
}
