import { outOfMemory } from "../../../../../src/shared/failure.ts";
import { runCodec } from "../../../../wasm/emscripten-module.ts";
import { LinkedModule } from "../../../../wasm/linked-module.ts";
import type { Size } from "../../../picture/size.ts";

/** The exports of mozjpeg-decoder.c. */
interface Decoder {
  decode(at: number, bytes: number, colors: number, eighths: number): number;
  width(): number;
  height(): number;
  components(): number;
  lacks_data(): number;
  lacks_memory(): number;
}

/** `J_COLOR_SPACE` in jpeglib.h. */
const COLORS = { gray: 1, rgba: 12 };

/** How a JPEG is decoded. */
export interface JpegDecoding {
  /** The samples of each pixel. */
  readonly colors: keyof typeof COLORS;
  /** The size, in eighths of that of the file, rounded up. A half takes about half of the time. */
  readonly eighths: 4 | 8;
}

/** A picture that libjpeg decoded: as stored, before any rotation. */
export interface DecodedJpeg extends Size {
  /** A byte each, row by row. Alpha is opaque. A view of the memory of the instance, which nothing else uses. */
  readonly samples: Uint8Array<ArrayBuffer>;
  /** Whether coded data was missing before the end of the picture. */
  readonly lacksData: boolean;
}

/**
 * Decodes a JPEG with libjpeg: a damaged one up to its damage.
 *
 * @returns `undefined` when libjpeg fails, or does not convert to these colors
 * @throws {ServiceError} `out_of_memory`
 */
export function decodeJpeg(
  module: WebAssembly.Module,
  bytes: Uint8Array,
  { colors, eighths }: JpegDecoding,
): DecodedJpeg | undefined {
  const codec = new LinkedModule<Decoder>(module);
  const { decode, width, height, components, lacks_data, lacks_memory } = codec.exports;
  const at = runCodec(() => decode(codec.put(bytes), bytes.length, COLORS[colors], eighths));
  if (at === 0 || (at === undefined && lacks_memory())) throw outOfMemory();
  if (at === undefined) return undefined;
  const size = { width: width(), height: height() };
  const samples = codec.view(at, components() * size.width * size.height);
  return { ...size, samples, lacksData: lacks_data() === 1 };
}
