import { UnsupportedBitstream } from "./bit-reader.ts";
import type { CodedPicture } from "./coded-picture.ts";
import type { SliceHeader } from "./slice-header.ts";

/** The exports of assembly/decoder.ts. */
interface Assembly {
  readonly memory: WebAssembly.Memory;
  parametersAt(): number;
  scalingFactorsAt(): number;
  beginPicture(inputBytes: number): number;
  decodePicture(length: number): number;
  outputRow(row: number): number;
}

/** How far the decoder reads beyond the data before it notices that they are damaged. */
const READ_AHEAD = 64;
/** For Log2MinCuQpDeltaSize if the QP does not change: larger than any block. */
const NO_CU_QP_DELTA = 99;

/** Samples of a 4:2:0 picture, a byte each, row by row. The chroma planes have half the width and height of luma. */
export interface Planes {
  readonly luma: Uint8Array;
  readonly cb: Uint8Array;
  readonly cr: Uint8Array;
}

/**
 * Decodes HEVC still pictures, one after the other. An instance has a WebAssembly memory of its own, which grows with
 * the picture and the coded data.
 */
export class HevcDecoder {
  readonly #assembly: Assembly;

  /** @param module hevc-decoder.wasm, compiled */
  constructor(module: WebAssembly.Module) {
    const { exports } = new WebAssembly.Instance(module);
    if (!isAssembly(exports)) throw new Error("the module is not hevc-decoder.wasm");
    this.#assembly = exports;
  }

  /**
   * Decodes a picture (ITU-T H.265, clause 8).
   *
   * @param planes where to put the samples of the picture's {@link CodedPicture.size}
   * @throws {UnsupportedBitstream} if the slice data is damaged
   * @throws {WebAssembly.RuntimeError} if damage makes the decoder leave its memory; do not use the instance again
   */
  decode(picture: CodedPicture, planes: Planes): void {
    const assembly = this.#assembly;
    const { header, data } = picture;
    this.#setParameters(header);
    const input = assembly.beginPicture(data.length);
    const bytes = new Uint8Array(assembly.memory.buffer);
    bytes.set(data, input);
    bytes.fill(0, input + data.length, input + data.length + READ_AHEAD);
    if (!assembly.decodePicture(data.length)) throw new UnsupportedBitstream("the slice data is damaged");
    const ctbRows = Math.ceil(header.sps.height / 2 ** header.sps.log2.codingTreeBlock);
    for (let ctbRow = 0; ctbRow < ctbRows; ctbRow++) this.#copyRow(picture, planes, ctbRow);
  }

  #setParameters({ sps, pps, deblocking, ...slice }: SliceHeader): void {
    const { memory, parametersAt, scalingFactorsAt } = this.#assembly;
    const { log2 } = sps;
    const { cuQpDeltaDepth } = pps;
    const scalingFactors = sps.scalingFactors && (pps.scalingFactors ?? sps.scalingFactors);
    const parameters = [
      ...[sps.width, sps.height, log2.codingTreeBlock, log2.minCodingBlock],
      ...[log2.minTransformBlock, log2.maxTransformBlock, sps.maxTransformHierarchyDepth],
      ...[sps.strongIntraSmoothing, pps.signDataHiding, pps.transformSkip],
      cuQpDeltaDepth === undefined ? NO_CU_QP_DELTA : log2.codingTreeBlock - cuQpDeltaDepth,
      ...[pps.entropyCodingSync, scalingFactors !== undefined],
      ...[pps.chromaQpOffsets.cb, pps.chromaQpOffsets.cr],
      ...[slice.qp, slice.chromaQpOffsets.cb, slice.chromaQpOffsets.cr, slice.saoLuma, slice.saoChroma],
      ...[deblocking.isDisabled, deblocking.betaOffsetDiv2, deblocking.tcOffsetDiv2],
    ];
    new Int32Array(memory.buffer, parametersAt(), parameters.length).set(parameters.map(Number));
    if (scalingFactors) new Uint8Array(memory.buffer).set(scalingFactors, scalingFactorsAt());
  }

  /** Copies a CTB row, cropped to the conformance window. */
  #copyRow({ size, header: { sps } }: CodedPicture, planes: Planes, ctbRow: number): void {
    const { width, height, conformanceWindow, log2 } = sps;
    const ctbSize = 2 ** log2.codingTreeBlock;
    const from = ctbRow * ctbSize;
    const to = Math.min(from + ctbSize, height);
    const lumaAt = this.#assembly.outputRow(ctbRow);
    const cbAt = lumaAt + width * ctbSize;
    const crAt = cbAt + (width * ctbSize) / 4;
    const copy = (plane: Uint8Array, address: number, subsampling: 1 | 2) => {
      const [shownWidth, shownHeight] = [size.width / subsampling, size.height / subsampling];
      const [left, top] = [conformanceWindow.left / subsampling, conformanceWindow.top / subsampling];
      const rowBytes = width / subsampling;
      const samples = new Uint8Array(
        this.#assembly.memory.buffer,
        address,
        (rowBytes * ctbSize) / subsampling,
      );
      for (let row = from / subsampling; row < to / subsampling; row++) {
        const target = row - top;
        if (target < 0 || target >= shownHeight) continue;
        const start = (row - from / subsampling) * rowBytes + left;
        plane.set(samples.subarray(start, start + shownWidth), target * shownWidth);
      }
    };
    copy(planes.luma, lumaAt, 1);
    copy(planes.cb, cbAt, 2);
    copy(planes.cr, crAt, 2);
  }
}

function isAssembly(exports: object): exports is Assembly {
  return "decodePicture" in exports;
}
