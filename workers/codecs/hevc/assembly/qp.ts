import { blockIndex, ctbX } from "./availability";
import { CU_QP_DELTA_ABS, decodeBin, decodeBypass, decodeBypassBits } from "./cabac";
import { blockStride, qps, sliceQp } from "./picture";
import { markDamaged } from "./residual-coding";
import { fillRun } from "./runs";
import { CHROMA_QPS } from "./tables";

/** qPY_PREV, qPY_PRED and QpY (8.6.1). */
let prevQp: i32 = 0;
let predQp: i32 = 0;
export let qpY: i32 = 0;
let isCuQpDeltaCoded: bool = true;

/** Starts QP prediction: qPY_PREV is the QP of the slice. */
export function resetQp(): void {
  prevQp = qpY = sliceQp;
  isCuQpDeltaCoded = true;
}

/** Starts a quantization group and predicts its QP (8.6.1). */
export function beginQuantizationGroup(x: i32, y: i32): void {
  isCuQpDeltaCoded = false;
  const at = qps + blockIndex(x, y);
  const beside = x > ctbX ? (load<u8>(at - 1) as i32) : prevQp;
  const above = y > 0 ? (load<u8>(at - blockStride) as i32) : prevQp;
  predQp = qpY = (beside + above + 1) >> 1;
}

/** Decodes cu_qp_delta_abs and cu_qp_delta_sign_flag (7.3.8.14), once per quantization group. */
export function decodeCuQpDelta(): void {
  if (isCuQpDeltaCoded) return;
  isCuQpDeltaCoded = true;
  let absolute: i32 = 0;
  while (absolute < 5 && decodeBin(CU_QP_DELTA_ABS + (absolute === 0 ? 0 : 1)) !== 0) absolute++;
  if (absolute === 5) {
    let bits = 0;
    while (bits < 8 && decodeBypass() !== 0) absolute += 1 << bits++;
    absolute += decodeBypassBits(bits) as i32;
  }
  const delta = absolute !== 0 && decodeBypass() !== 0 ? -absolute : absolute;
  // CuQpDeltaVal is from -26 to 25 (7.4.9.14).
  if (delta < -26 || delta > 25) markDamaged();
  qpY = (predQp + delta + 104) % 52;
}

/** Stores the QP of a coding unit, for prediction and deblocking. */
export function storeQp(x: i32, y: i32, blocks: usize): void {
  const at = qps + blockIndex(x, y);
  for (let row: usize = 0; row < blocks; row++) fillRun(at + row * blockStride, qpY, blocks);
  prevQp = qpY;
}

/** Returns the chroma QP of the current block. */
export function currentChromaQp(offset: i32): i32 {
  return chromaQp(max(0, min(57, qpY + offset)));
}

/** Returns QpC for qPi (table 8-10). */
export function chromaQp(ofLuma: i32): i32 {
  if (ofLuma < 30) return ofLuma;
  return ofLuma > 43 ? ofLuma - 6 : (load<u8>(CHROMA_QPS + ((ofLuma - 30) as usize)) as i32);
}
