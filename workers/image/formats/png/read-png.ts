import { uint32 } from "../../../io/big-endian.ts";
import { type BytePart, BytePartList } from "../../../io/byte-ranges.ts";
import { crc32 } from "../../../io/crc32.ts";
import type { ByteSource } from "../../../io/source.ts";
import { fromPixelsPerMeter, type Resolution } from "../../metadata/exif.ts";
import type { Size } from "../../picture/size.ts";
import { damagedImage } from "../image-errors.ts";
import { COLOR_CHUNKS, type PngColor, readColor } from "./colors.ts";
import {
  CARRIED_CHUNKS,
  type CarriedMetadata,
  carriedAs,
  carriedMetadata,
  KEYWORD_BYTES,
  type PngChunk,
} from "./text-chunks.ts";

/** The color types (PNG 3, 11.2.1). */
export const COLOR_TYPE = { gray: 0, rgb: 2, palette: 3, grayAlpha: 4, rgbAlpha: 6 } as const;

/** One of {@link COLOR_TYPE}. */
type ColorType = (typeof COLOR_TYPE)[keyof typeof COLOR_TYPE];

/** The headers and the metadata of a PNG, and the place of its pixels. */
export interface Png extends CarriedMetadata, PngColor, Size {
  /** Bits per sample: 1, 2, 4, 8 or 16. */
  readonly bitDepth: number;
  readonly colorType: ColorType;
  readonly interlaced: boolean;
  /** Red, green and blue of each entry. Absent unless {@link colorType} is the palette. */
  readonly palette: Uint8Array | undefined;
  /** The tRNS chunk: alpha of the first palette entries, or the samples of one color with two bytes each. */
  readonly transparency: Uint8Array | undefined;
  /** The compressed pixels, one zlib stream. */
  readonly data: readonly BytePart[];
  /**
   * The types of the chunks on which decoders disagree. Only some browsers apply the orientation in EXIF, or show the
   * default image of an animation (PNG 3, 4.1). Some convert colors by chunks that state sRGB.
   */
  readonly disputedChunks: ReadonlySet<string>;
  /** Whether this is Apple's variant for apps of iPhones: BGRA, multiplied by alpha, without the header of zlib. */
  readonly isCgbi: boolean;
}

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const MOST_CHUNKS = 1_000_000;
/** The limit for chunks other than pixels and metadata. Longer ones are ignored. */
const LONGEST_CHUNK = 4 * 1024 * 1024;
/** The limit for EXIF and XMP. Longer metadata is not read, but reported as too long. */
const LONGEST_METADATA = 64 * 1024 * 1024;
const LARGEST_SIDE = 0x7fffffff;

const DEPTHS: Readonly<Record<ColorType, readonly number[]>> = {
  [COLOR_TYPE.gray]: [1, 2, 4, 8, 16],
  [COLOR_TYPE.rgb]: [8, 16],
  [COLOR_TYPE.palette]: [1, 2, 4, 8],
  [COLOR_TYPE.grayAlpha]: [8, 16],
  [COLOR_TYPE.rgbAlpha]: [8, 16],
};

/** The chunks that are read. The first of a type counts. After the pixels, only metadata counts. */
const READ = new Set(["IHDR", "PLTE", "tRNS", ...COLOR_CHUNKS, "pHYs", "acTL"]);
/** The chunks of an animation. */
export const ANIMATION_CHUNKS = ["acTL", "fcTL", "fdAT"];
const CRITICAL = new Set(["IHDR", "PLTE"]);

/** Whether a pixel has one value for all colors. */
export function isGray(colorType: ColorType): boolean {
  return colorType === COLOR_TYPE.gray || colorType === COLOR_TYPE.grayAlpha;
}

/** Returns the number of samples per pixel. */
export function samplesPerPixel(colorType: ColorType): number {
  return { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }[colorType];
}

/** Whether any pixel may be transparent. */
export function mayBeTransparent({ colorType, transparency }: Png): boolean {
  return (
    colorType === COLOR_TYPE.grayAlpha || colorType === COLOR_TYPE.rgbAlpha || transparency !== undefined
  );
}

/**
 * Reads a PNG, except for its pixels. Damaged metadata counts as absent.
 *
 * @throws {ServiceError} `damaged_file`
 */
export function readPng(source: ByteSource): Png {
  const signature = source.read(0, SIGNATURE.length);
  if (!SIGNATURE.every((byte, index) => signature[index] === byte))
    throw damagedPng("it does not begin as one");
  const chunks = new Map<string, Uint8Array>();
  const carried = new Map<string, PngChunk | "too long">();
  const data = new BytePartList();
  const isCgbi = chunkName(source.read(SIGNATURE.length, SIGNATURE.length + 8)) === "CgBI";
  let at = SIGNATURE.length;
  for (let count = 0; ; count++) {
    if (count > MOST_CHUNKS) throw damagedPng("it has too many chunks");
    const head = source.read(at, at + 8);
    const end = at + 12 + uint32(head, 0);
    const name = chunkName(head);
    if (head.length < 8 || end > source.size) throw damagedPng("it breaks off");
    if (count === (isCgbi ? 1 : 0) && name !== "IHDR") throw damagedPng("it does not begin with its header");
    if (name === "IEND") break;
    if (name === "IDAT") data.range(at + 8, end - 4);
    else if (CARRIED_CHUNKS.includes(name)) carry(carried, name, source, at, end);
    else if (data.all.length === 0 && READ.has(name)) keep(chunks, name, source, at, end);
    at = end;
  }
  const header = chunks.get("IHDR") ?? new Uint8Array();
  const colorType = colorTypeOf(header[9]);
  const shape = {
    width: uint32(header, 0),
    height: uint32(header, 4),
    bitDepth: header[8] ?? 0,
    interlaced: header[12] === 1,
  };
  const { width, height, bitDepth } = shape;
  if (header.length !== 13 || colorType === undefined || !DEPTHS[colorType].includes(bitDepth)) {
    throw damagedPng("its header makes no sense");
  }
  if (width === 0 || height === 0 || width > LARGEST_SIDE || height > LARGEST_SIDE) {
    throw damagedPng("its header states an impossible size");
  }
  if (header[10] !== 0 || header[11] !== 0 || (header[12] ?? 0) > 1) {
    throw damagedPng("its pixels are stored in a way that is not PNG's");
  }
  const palette = colorType === COLOR_TYPE.palette ? paletteOf(chunks.get("PLTE")) : undefined;
  if (data.all.length === 0) throw damagedPng("it holds no pixels");
  const metadata = carriedMetadata(carried);
  const { idleChunks, ...color } = readColor(chunks, isGray(colorType));
  return {
    ...shape,
    isCgbi,
    colorType,
    palette,
    transparency: transparencyOf(colorType, chunks.get("tRNS")),
    ...color,
    ...metadata,
    resolution: densityOf(chunks.get("pHYs")) ?? metadata.resolution,
    data: data.all,
    disputedChunks: new Set([
      ...idleChunks,
      ...(carried.has("eXIf") ? ["eXIf"] : []),
      ...(chunks.has("acTL") ? ANIMATION_CHUNKS : []),
    ]),
  };
}

/** Returns the type of a chunk, after its length. */
function chunkName(head: Uint8Array): string {
  return String.fromCharCode(...head.subarray(4));
}

/** Keeps the contents of a chunk. Drops a chunk with a wrong checksum, unless it is needed. */
function keep(
  chunks: Map<string, Uint8Array>,
  name: string,
  source: ByteSource,
  start: number,
  end: number,
): void {
  if (chunks.has(name) || end - start > LONGEST_CHUNK) return;
  const body = wholeBody(source, start, end);
  if (body) chunks.set(name, body);
  else if (CRITICAL.has(name)) throw damagedPng(`its ${name} chunk is not what was written`);
}

/** Keeps a metadata chunk, if it is the first of its kind. */
function carry(
  carried: Map<string, PngChunk | "too long">,
  name: string,
  source: ByteSource,
  start: number,
  end: number,
): void {
  const key = carriedAs(name, source.read(start + 8, Math.min(start + 8 + KEYWORD_BYTES, end - 4)));
  if (key === undefined || carried.has(key)) return;
  const isTooLong = end - start > LONGEST_METADATA;
  const data = isTooLong ? undefined : wholeBody(source, start, end);
  if (isTooLong) carried.set(key, "too long");
  else if (data) carried.set(key, { name, data });
}

/** Returns a copy of the contents, or `undefined` for a wrong checksum. */
function wholeBody(source: ByteSource, start: number, end: number): Uint8Array | undefined {
  const body = source.read(start + 8, end - 4);
  if (crc32(source.read(start + 4, end - 4)) !== uint32(source.read(end - 4, end), 0)) return undefined;
  return body.slice();
}

function colorTypeOf(value: number | undefined): ColorType | undefined {
  return Object.values(COLOR_TYPE).find((type) => type === value);
}

function paletteOf(chunk: Uint8Array | undefined): Uint8Array {
  if (chunk === undefined || chunk.length < 3 || chunk.length % 3 !== 0 || chunk.length > 3 * 256) {
    throw damagedPng("its palette is missing or makes no sense");
  }
  return chunk;
}

function transparencyOf(colorType: ColorType, chunk: Uint8Array | undefined): Uint8Array | undefined {
  if (colorType === COLOR_TYPE.palette) return chunk?.some((alpha) => alpha !== 255) ? chunk : undefined;
  const length = colorType === COLOR_TYPE.gray ? 2 : colorType === COLOR_TYPE.rgb ? 6 : 0;
  return chunk?.length === length ? chunk : undefined;
}

/**
 * Returns the resolution in a pHYs chunk, if its unit is the meter. Otherwise the chunk states the aspect ratio of a
 * pixel only.
 */
function densityOf(chunk: Uint8Array | undefined): Resolution | undefined {
  if (chunk?.length !== 9 || chunk[8] !== 1) return undefined;
  return fromPixelsPerMeter(uint32(chunk, 0), uint32(chunk, 4));
}

/** Returns the error for a PNG that cannot be read. */
export const damagedPng = (reason: string) => damagedImage("PNG", reason);
