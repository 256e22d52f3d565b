import type { MainModule } from "libheif-js/libheif-wasm/libheif.js";
import wasmAddress from "libheif-js/libheif-wasm/libheif.wasm?url";
import { ServiceError } from "../../../../src/shared/errors.ts";
import { outOfMemory } from "../../../../src/shared/failure.ts";
import { isOutOfMemory } from "../../../../src/shared/job-failure.ts";
import { instantiate } from "../../../wasm/emscripten-module.ts";
import { wasmModule } from "../../../wasm/wasm-module.ts";
import { damagedHeif } from "../../isobmff/cursor.ts";
import { divideByAlpha } from "../../picture/divide-by-alpha.ts";
import type { PixelPicture, PixelValues } from "../../picture/picture.ts";
import type { HeifImage } from "./images.ts";

// Red, green, blue and alpha, interleaved, in the C interface (heif_image.h).
const COLOR_SPACE = 1;
const CHROMA = 11;
/** The offset of `strict_decoding` in heif_decoding_options (heif_decoding.h). A test tries the offsets on the binary. */
export const IS_STRICT_AT = 21;
const ERROR = { unsupportedFeature: 4, memory: 6, plugin: 11 };
const LIMIT_EXCEEDED = 1000;
/** Errors of strict decoding that concern unknown code points only. All values are there. */
const UNKNOWN_COLORS: readonly number[] = [133, 134, 135];
/** heif_channel_interleaved (heif_image.h). */
const INTERLEAVED = 10;
/** Offsets in the memory that libheif writes its results to (`scratch`): an error, a pointer, a stride. */
const SCRATCH = { error: 0, result: 16, stride: 24, bytes: 256 };

/**
 * Limits of libheif that real files exceed: bursts and large photos have more than 100 properties. Offsets in
 * heif_security_limits (heif_security.h).
 */
export const LIMITS = { items: 28, entitiesInAGroup: 56, boxesInABox: 60 };
/** The limit of libheif up to 1.15. */
const MOST_ENTRIES = 20_000;

/** Files that cannot be opened, and why. Otherwise libheif would try again for each of their pictures. */
const refused = new WeakMap<Uint8Array, ServiceError>();

/** A file that an instance of libheif has opened. */
interface OpenFile {
  readonly heif: MainModule;
  readonly context: number;
  readonly scratch: number;
}

/**
 * Decodes a picture of a HEIF file, rotated, mirrored and cropped.
 *
 * Each picture has an instance of libheif, whose memory is dropped with it. Missing parts of a damaged picture show old
 * contents of the memory, and these must not come from another file.
 *
 * @throws {ServiceError} `damaged_file`, `unsupported_input`, `out_of_memory`
 */
export async function decodeWithLibheif(
  bytes: Uint8Array<ArrayBuffer>,
  { item, hasAlpha }: Pick<HeifImage, "item" | "hasAlpha">,
): Promise<PixelPicture> {
  const refusal = refused.get(bytes);
  if (refusal) throw refusal;
  const [{ createLibheif }, module] = await Promise.all([
    import("./wasm/libheif.ts"),
    wasmModule(wasmAddress),
  ]);
  const heif = await instantiate<MainModule>(createLibheif, module);
  try {
    const file = open(heif, bytes);
    const values = item === undefined ? decodeCover(file) : decodeItem(file, item);
    return { layout: "rgba", hasAlpha, ...values };
  } catch (thrown) {
    if (thrown instanceof ServiceError) throw thrown;
    // A WebAssembly trap or an abort of Emscripten.
    throw isOutOfMemory(thrown) ? outOfMemory() : damagedHeif("its decoder cannot decode it");
  }
}

function open(heif: MainModule, bytes: Uint8Array<ArrayBuffer>): OpenFile {
  const scratch = heif._malloc(SCRATCH.bytes);
  const data = heif._malloc(bytes.length);
  if (scratch === 0 || data === 0) throw outOfMemory();
  memoryOf(heif).set(bytes, data);
  const context = heif._heif_context_alloc();
  const limits = heif._heif_context_get_security_limits(context);
  const view = new DataView(memoryOf(heif).buffer);
  for (const at of Object.values(LIMITS)) view.setUint32(limits + at, MOST_ENTRIES, true);
  heif._heif_context_read_from_memory_without_copy(scratch, context, data, bytes.length, 0);
  try {
    check(heif, scratch);
  } catch (thrown) {
    if (thrown instanceof ServiceError && thrown.code !== "out_of_memory") refused.set(bytes, thrown);
    throw thrown;
  }
  return { heif, context, scratch };
}

function decodeItem({ heif, context, scratch }: OpenFile, item: number): PixelValues {
  const result = scratch + SCRATCH.result;
  heif._heif_context_get_image_handle(scratch, context, item, result);
  check(heif, scratch);
  const handle = word(heif, result);
  const options = heif._heif_decoding_options_alloc();
  if (options === 0) throw outOfMemory();
  const decode = (isStrict: boolean) => {
    memoryOf(heif)[options + IS_STRICT_AT] = Number(isStrict);
    heif._heif_decode_image(scratch, handle, result, COLOR_SPACE, CHROMA, options);
  };
  // Otherwise libheif leaves out a tile that it cannot decode, without an error.
  decode(true);
  const detail = word(heif, scratch + SCRATCH.error + 4);
  if (UNKNOWN_COLORS.includes(detail)) decode(false);
  check(heif, scratch);
  return takePixels(heif, word(heif, result), scratch);
}

function decodeCover({ heif, context, scratch }: OpenFile): PixelValues {
  const result = scratch + SCRATCH.result;
  // 0 selects the first picture track.
  const track = heif._heif_context_get_track(context, 0);
  if (track === 0) throw damagedHeif("it is an image sequence without pictures that could be read");
  heif._heif_track_decode_next_image(scratch, track, result, COLOR_SPACE, CHROMA, 0);
  check(heif, scratch);
  return takePixels(heif, word(heif, result), scratch);
}

/** Checks the error that each function of libheif writes to its first argument: two numbers and a text. */
function check(heif: MainModule, scratch: number): void {
  const code = word(heif, scratch + SCRATCH.error);
  if (code === 0) return;
  const detail = word(heif, scratch + SCRATCH.error + 4);
  if (code === ERROR.memory && detail !== LIMIT_EXCEEDED) throw outOfMemory();
  const reason = text(heif, word(heif, scratch + SCRATCH.error + 8));
  if (code === ERROR.unsupportedFeature || code === ERROR.plugin) {
    throw new ServiceError(
      "unsupported_input",
      `A picture of the HEIC file is stored in a way that Stayput does not read (${reason}).`,
    );
  }
  throw damagedHeif(`its decoder reports “${reason}”`);
}

function text(heif: MainModule, at: number): string {
  const bytes = memoryOf(heif).subarray(at, at + 500);
  const end = bytes.indexOf(0);
  return String.fromCharCode(...bytes.subarray(0, end < 0 ? bytes.length : end)).trim();
}

/** Copies a decoded picture of interleaved red, green, blue and alpha out of the memory of libheif. */
function takePixels(heif: MainModule, image: number, scratch: number): PixelValues {
  const width = heif._heif_image_get_width(image, INTERLEAVED);
  const height = heif._heif_image_get_height(image, INTERLEAVED);
  const at = heif._heif_image_get_plane_readonly2(image, INTERLEAVED, scratch + SCRATCH.stride);
  const stride = word(heif, scratch + SCRATCH.stride);
  if (at === 0 || width < 1 || height < 1) throw damagedHeif("a picture of it cannot be decoded");
  const decoded = memoryOf(heif).subarray(at, at + stride * height);
  const rowBytes = 4 * width;
  const pixels = new Uint8ClampedArray(rowBytes * height);
  for (let row = 0; row < height; row++) {
    pixels.set(decoded.subarray(row * stride, row * stride + rowBytes), row * rowBytes);
  }
  if (heif._heif_image_is_premultiplied_alpha(image) === 1) divideByAlpha(pixels);
  return { width, height, pixels };
}

/** Reads a number from the memory of libheif. */
function word(heif: MainModule, at: number): number {
  return new DataView(memoryOf(heif).buffer).getUint32(at, true);
}

/** Returns the memory of libheif. It is a new object each time the memory grows. */
function memoryOf(heif: MainModule): Uint8Array {
  return heif.HEAPU8;
}
