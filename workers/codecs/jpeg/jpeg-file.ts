import type { HuffmanTables } from "./entropy-coding.ts";
import type { HuffmanTable } from "./huffman.ts";
import type { Size } from "./mcu-rows.ts";
import { type QuantizationTables, ZIGZAG } from "./quantization-tables.ts";

/** Markers (ITU-T T.81, table B.1), the second byte. */
const MARKER = { APP0: 0xe0, DQT: 0xdb, SOF0: 0xc0, DHT: 0xc4, SOS: 0xda };
const SOI = [0xff, 0xd8];
/** The marker that ends a file. */
export const EOI: readonly number[] = [0xff, 0xd9];

/** JFIF 1.01, without a density or a thumbnail. */
const JFIF = [0x4a, 0x46, 0x49, 0x46, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0];
/** The only component of a gray JPEG. */
const GRAY = [{ id: 1, sampling: 0x11, quantization: 0, huffman: 0x00 }];
/** Y, Cb and Cr: the id, the sampling factors (4:2:0), and which tables they use. */
const COMPONENTS = [
  { id: 1, sampling: 0x22, quantization: 0, huffman: 0x00 },
  { id: 2, sampling: 0x11, quantization: 1, huffman: 0x11 },
  { id: 3, sampling: 0x11, quantization: 1, huffman: 0x11 },
];
/** Ss, Se, Ah and Al of a sequential scan. */
const SEQUENTIAL = [0, 63, 0];

/** Returns everything before the entropy-coded data of a baseline JPEG with one scan (B.2): at 4:2:0, or gray. */
export function jpegHeader(
  { width, height, isGray }: Size & { readonly isGray: boolean },
  { luma, chroma }: QuantizationTables,
  { lumaDc, lumaAc, chromaDc, chromaAc }: HuffmanTables,
): readonly number[] {
  const zigzag = (table: readonly number[]) => ZIGZAG.map((index) => table[index] ?? 0);
  const components = isGray ? GRAY : COMPONENTS;
  const huffman = (id: number, { lengths, symbols }: HuffmanTable) => [id, ...lengths, ...symbols];
  return [
    ...SOI,
    ...segment(MARKER.APP0, JFIF),
    ...segment(MARKER.DQT, [0, ...zigzag(luma), ...(isGray ? [] : [1, ...zigzag(chroma)])]),
    ...segment(MARKER.SOF0, [
      ...[8, ...uint16(height), ...uint16(width), components.length],
      ...components.flatMap(({ id, sampling, quantization }) => [id, sampling, quantization]),
    ]),
    ...segment(MARKER.DHT, [
      ...huffman(0x00, lumaDc),
      ...huffman(0x10, lumaAc),
      ...(isGray ? [] : [...huffman(0x01, chromaDc), ...huffman(0x11, chromaAc)]),
    ]),
    ...segment(MARKER.SOS, [
      components.length,
      ...components.flatMap(({ id, huffman }) => [id, huffman]),
      ...SEQUENTIAL,
    ]),
  ];
}

function segment(marker: number, content: readonly number[]): readonly number[] {
  return [0xff, marker, ...uint16(content.length + 2), ...content];
}

function uint16(value: number): readonly number[] {
  return [value >> 8, value & 0xff];
}
