import { chromaSize, type Planes } from "../../image/picture/planes.ts";
import type { Size } from "../../image/picture/size.ts";
import { payloadOf, UnsupportedBitstream } from "./bit-reader.ts";
import { type PictureSet, readPictureSet, readSequenceSet, type SequenceSet } from "./parameter-sets.ts";
import { type ParameterSets, readSliceSegment, type Slice, type SliceSegment } from "./slice-header.ts";

/** What assembly/decoder.ts exports. */
interface Assembly {
  readonly memory: WebAssembly.Memory;
  parametersAt(): number;
  scalingAt(): number;
  beginPicture(inputBytes: number): number;
  finishedAt(): number;
  beginSlice(
    quantizer: number,
    blueOffset: number,
    redOffset: number,
    offsetsOfLuma: boolean,
    offsetsOfChroma: boolean,
    isNotSmoothed: boolean,
    beta: number,
    limit: number,
  ): void;
  beginSegment(length: number, address: number, goesOn: boolean): number;
  decodeOn(): number;
  rowsFinished(): number;
  isComplete(): number;
}

/** How a call of the decoder ends: the same numbers are in assembly/decoder.ts. */
const ENDS = { broken: 0, segment: 1, row: 2 };

/** A coded picture: its units, parameter sets among them (ITU-T H.265, 7.3.1). */
export type Units = readonly Uint8Array[];

/** A picture that can be decoded here. */
export interface CodedPicture {
  /** As it is shown. */
  readonly size: Size;
  readonly sequence: SequenceSet;
  readonly segments: readonly CodedSegment[];
}

interface CodedSegment {
  readonly header: SliceSegment;
  readonly data: Uint8Array;
}

/** Types of units (table 7-1): pictures that can be decoded at once, and what is none. */
const UNIT = { idrWithLeading: 19, idr: 20, firstNotCoded: 32, sequence: 33, picture: 34 };
const HEADER_BYTES = 2;
/** As many as can be told apart (7.4.3.2, 7.4.3.3): a file of tiles has them read for each. */
const MOST_SETS = 80;
/** More than a level allows of a picture (ITU-T H.265, table A.8). */
const MOST_SEGMENTS = 1000;
/** How far behind the data they are read before that is noticed, unless they are damaged. */
const READ_AHEAD = 64;

/**
 * Reads all but the coded values of a picture.
 *
 * @throws {UnsupportedBitstream} where it is coded in another way than is decoded here
 */
export function readPicture(units: Units): CodedPicture {
  const sequences = new Map<number, SequenceSet>();
  const pictures = new Map<number, PictureSet>();
  const sets: ParameterSets = { sequences, pictures };
  const segments: CodedSegment[] = [];
  let setsRead = 0;
  for (const unit of units) {
    const type = ((unit[0] ?? 0) >> 1) & 63;
    const layer = (((unit[0] ?? 0) & 1) << 5) | ((unit[1] ?? 0) >> 3);
    if (layer > 0) continue;
    const content = unit.subarray(HEADER_BYTES);
    if ((type === UNIT.sequence || type === UNIT.picture) && ++setsRead > MOST_SETS)
      throw new UnsupportedBitstream("it has too many parameter sets");
    if (type === UNIT.sequence) {
      const set = readSequenceSet(payloadOf(content));
      sequences.set(set.id, set);
    } else if (type === UNIT.picture) {
      const set = readPictureSet(payloadOf(content));
      pictures.set(set.id, set);
    } else if (type === UNIT.idr || type === UNIT.idrWithLeading) {
      const payload = payloadOf(content);
      const header = readSliceSegment(payload, sets);
      segments.push({ header, data: payload.subarray(header.dataAt) });
    } else if (type < UNIT.firstNotCoded) throw new UnsupportedBitstream("it is not a picture by itself");
  }
  const [first] = segments;
  if (!first) throw new UnsupportedBitstream("there is no picture");
  if (segments.length > MOST_SEGMENTS) throw new UnsupportedBitstream("it is in too many parts");
  checkSegments(segments, first.header);
  const { sequence } = first.header;
  const { width, height, hidden } = sequence;
  const size = {
    width: width - hidden.left - hidden.right,
    height: height - hidden.top - hidden.bottom,
  };
  return { size, sequence, segments };
}

/** All segments have to be of one picture, and to be smoothed alike. */
function checkSegments(
  segments: readonly CodedSegment[],
  { sequence, picture, slice: firstSlice }: SliceSegment,
): void {
  for (const [index, { header }] of segments.entries()) {
    if ((index === 0) !== (header.address === 0)) throw new UnsupportedBitstream("it is not one picture");
    const isAlikeCoded = header.sequence === sequence && header.picture === picture;
    if (!isAlikeCoded) throw new UnsupportedBitstream("its parts are coded by different parameters");
    const { slice } = header;
    if (index === 0 || !slice || !firstSlice) continue;
    const { isOff, beta, tc } = slice.deblocking;
    const { deblocking } = firstSlice;
    const isAlike = isOff === deblocking.isOff && beta === deblocking.beta && tc === deblocking.tc;
    if (!isAlike || !slice.filtersAcross)
      throw new UnsupportedBitstream("its slices are smoothed each by itself");
  }
}

/** Decodes still pictures of HEVC. It has a memory of its own, which all of the pictures' coded data go into. */
export class HevcDecoder {
  readonly #assembly: Assembly;

  constructor(module: WebAssembly.Module) {
    this.#assembly = assemblyOf(new WebAssembly.Instance(module));
  }

  /** How much memory it has taken. */
  get memoryBytes(): number {
    return this.#assembly.memory.buffer.byteLength;
  }

  /**
   * Decodes a picture into planes, a row of blocks with each step, and gives how many rows are there.
   *
   * @param planes of the picture's size
   * @throws {UnsupportedBitstream} when its data are damaged
   */
  *decode(picture: CodedPicture, planes: Planes): Generator<number, void> {
    const assembly = this.#assembly;
    const { sequence, segments } = picture;
    const [first] = segments;
    if (!first) return;
    const longest = Math.max(...segments.map(({ data }) => data.length));
    this.#setParameters(sequence, first.header.picture);
    const input = assembly.beginPicture(longest);
    let done = 0;
    for (const { header, data } of segments) {
      const bytes = new Uint8Array(assembly.memory.buffer);
      bytes.set(data, input);
      bytes.fill(0, input + data.length, input + data.length + READ_AHEAD);
      const { slice } = header;
      if (slice) this.#beginSlice(slice);
      if (!assembly.beginSegment(data.length, header.address, slice === undefined))
        throw new UnsupportedBitstream("a part of it is missing");
      for (let end = assembly.decodeOn(); end !== ENDS.segment; end = assembly.decodeOn()) {
        if (end !== ENDS.row) throw new UnsupportedBitstream("its data are damaged");
        const rows = assembly.rowsFinished();
        this.#takeRows(picture, planes, done, rows);
        done = rows;
        yield Math.max(0, Math.min(picture.size.height, rows - sequence.hidden.top));
      }
    }
    if (!assembly.isComplete()) throw new UnsupportedBitstream("it is cut off");
  }

  #setParameters(sequence: SequenceSet, picture: PictureSet): void {
    const { memory } = this.#assembly;
    const { log2 } = sequence;
    const scaling = sequence.scaling && (picture.scaling ?? sequence.scaling);
    const [blue, red] = picture.chromaQuantizers;
    const { quantizerDepth } = picture;
    const NO_BLOCK = 99;
    const parameters = [
      ...[sequence.width, sequence.height, log2.codingTreeBlock, log2.codingBlock],
      ...[log2.transformBlock, log2.largestTransformBlock, sequence.transformDepth],
      ...[sequence.smoothsStrongly, picture.hidesSigns, picture.skipsTransforms].map(Number),
      quantizerDepth === undefined ? NO_BLOCK : log2.codingTreeBlock - quantizerDepth,
      ...[picture.beginsRowsAnew, scaling !== undefined].map(Number),
      ...[blue, red],
    ];
    new Int32Array(memory.buffer, this.#assembly.parametersAt(), parameters.length).set(parameters);
    if (scaling) new Uint8Array(memory.buffer).set(scaling, this.#assembly.scalingAt());
  }

  #beginSlice({ quantizer, chromaQuantizers, hasLumaOffsets, hasChromaOffsets, deblocking }: Slice): void {
    const { isOff, beta, tc } = deblocking;
    this.#assembly.beginSlice(
      quantizer,
      ...chromaQuantizers,
      hasLumaOffsets,
      hasChromaOffsets,
      isOff,
      beta,
      tc,
    );
  }

  /** Copies finished rows, without what is not shown. */
  #takeRows({ size, sequence }: CodedPicture, planes: Planes, from: number, to: number): void {
    const { width, hidden, log2 } = sequence;
    const side = 2 ** log2.codingTreeBlock;
    const at = this.#assembly.finishedAt();
    const chromaAt = at + width * side;
    const crAt = chromaAt + (width / 2) * (side / 2);
    const copy = (plane: Uint8Array, start: number, step: 1 | 2) => {
      const shown = step === 1 ? size : chromaSize(size);
      const rowBytes = width / step;
      const left = hidden.left / step;
      const top = hidden.top / step;
      const values = new Uint8Array(this.#assembly.memory.buffer, start, (rowBytes * side) / step);
      for (let row = from / step; row < to / step; row++) {
        const target = row - top;
        if (target < 0 || target >= shown.height) continue;
        const begin = (row - from / step) * rowBytes + left;
        plane.set(values.subarray(begin, begin + shown.width), target * shown.width);
      }
    };
    copy(planes.luma, at, 1);
    copy(planes.cb, chromaAt, 2);
    copy(planes.cr, crAt, 2);
  }
}

function assemblyOf({ exports }: WebAssembly.Instance): Assembly {
  if (!isAssembly(exports)) throw new Error("hevc-decoder.wasm is another file");
  return exports;
}

function isAssembly(exports: object): exports is Assembly {
  const names = ["memory", "parametersAt", "scalingAt", "beginPicture", "finishedAt", "beginSlice"];
  return [...names, "beginSegment", "decodeOn", "rowsFinished", "isComplete"].every(
    (name) => name in exports,
  );
}
