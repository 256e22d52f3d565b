import type { Size } from "../../image/picture/size.ts";
import type { HuffmanTable } from "./huffman.ts";
import { type Quantizers, ZIGZAG } from "./quantization-tables.ts";

/** The four tables by which coefficients are coded. */
export interface HuffmanTables {
  readonly lumaDc: HuffmanTable;
  readonly lumaAc: HuffmanTable;
  readonly chromaDc: HuffmanTable;
  readonly chromaAc: HuffmanTable;
}

const START_OF_IMAGE = [0xff, 0xd8];
/** The marker that ends a file. */
export const END_OF_IMAGE: readonly number[] = [0xff, 0xd9];
const MARKER = {
  app0: 0xe0,
  quantizers: 0xdb,
  baselineFrame: 0xc0,
  huffman: 0xc4,
  scan: 0xda,
  restarts: 0xdd,
};

/** JFIF 1.01, of no known density, without a thumbnail. */
const JFIF = [0x4a, 0x46, 0x49, 0x46, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0];
/** Of each component its number, how often it is there in an MCU across and down, and its tables. */
const COMPONENTS = [
  { id: 1, sampling: 0x22, quantizers: 0, huffman: 0x00 },
  { id: 2, sampling: 0x11, quantizers: 1, huffman: 0x11 },
  { id: 3, sampling: 0x11, quantizers: 1, huffman: 0x11 },
];
const WHOLE_SPECTRUM = [0, 63, 0];

/**
 * Everything before the coded data of a baseline JPEG with one scan, chroma halved both ways (ITU-T T.81, B.2).
 *
 * @param restartInterval how many MCUs there are between two restarts, where there are any
 */
export function jpegHeader(
  { width, height }: Size,
  { luma, chroma }: Quantizers,
  { lumaDc, lumaAc, chromaDc, chromaAc }: HuffmanTables,
  restartInterval?: number,
): readonly number[] {
  const zigzag = (table: readonly number[]) => ZIGZAG.map((index) => table[index] ?? 0);
  const huffman = (id: number, { lengths, symbols }: HuffmanTable) => [id, ...lengths, ...symbols];
  return [
    ...START_OF_IMAGE,
    ...segment(MARKER.app0, JFIF),
    ...segment(MARKER.quantizers, [0, ...zigzag(luma), 1, ...zigzag(chroma)]),
    ...segment(MARKER.baselineFrame, [
      ...[8, ...uint16(height), ...uint16(width), COMPONENTS.length],
      ...COMPONENTS.flatMap(({ id, sampling, quantizers }) => [id, sampling, quantizers]),
    ]),
    ...segment(MARKER.huffman, [
      ...huffman(0x00, lumaDc),
      ...huffman(0x10, lumaAc),
      ...huffman(0x01, chromaDc),
      ...huffman(0x11, chromaAc),
    ]),
    ...(restartInterval === undefined ? [] : segment(MARKER.restarts, uint16(restartInterval))),
    ...segment(MARKER.scan, [
      COMPONENTS.length,
      ...COMPONENTS.flatMap(({ id, huffman }) => [id, huffman]),
      ...WHOLE_SPECTRUM,
    ]),
  ];
}

function segment(marker: number, content: readonly number[]): readonly number[] {
  return [0xff, marker, ...uint16(content.length + 2), ...content];
}

function uint16(value: number): readonly number[] {
  return [value >> 8, value & 0xff];
}
