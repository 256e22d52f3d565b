import type { MainModule } from "libheif-js/libheif-wasm/libheif.js";
import wasmAddress from "libheif-js/libheif-wasm/libheif.wasm?url";
import { ServiceError } from "../../../src/errors.ts";
import { outOfMemory } from "../../../src/failure.ts";
import { wasmModule } from "../wasm-module.ts";
import { damagedHeif } from "./cursor.ts";

/** A decoded picture: red, green, blue and alpha of each pixel in the colours of the file, not premultiplied. */
export interface Raster {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8ClampedArray<ArrayBuffer>;
}

/** How a picture is cut into tiles, as it is shown: turned and mirrored. */
export interface Tiling {
  readonly columns: number;
  readonly rows: number;
  readonly tileWidth: number;
  readonly tileHeight: number;
  /** How much of the leftmost and of the topmost tiles lies outside the picture. */
  readonly hiddenLeft: number;
  readonly hiddenTop: number;
}

/** A HEIF file that libheif has read; good until the call that gave it has ended. */
export interface OpenHeif {
  /** Decodes an item, turned, mirrored and cropped. */
  decode(item: number): Raster;
  /** Decodes the first frame of the first picture track. */
  decodeCover(): Raster;
  tiling(item: number): Tiling;
  /** Decodes one tile of an item that has tiles, turned and mirrored. */
  decodeTile(item: number, place: TilePlace): Raster;
}

/** Which tile, counted from the top left one as shown. */
export interface TilePlace {
  readonly column: number;
  readonly row: number;
}

// Of libheif's C interface (heif_image.h, heif_error.h, heif_tiling.h).
const RGB = 1;
const INTERLEAVED_RGBA = 11;
const INTERLEAVED = 10;
const ERROR = { unsupportedFeature: 4, memory: 6, plugin: 11 };
const LIMIT_EXCEEDED = 1000;
/** Room for the structures that libheif fills: error, pointer, stride, tiling. */
const ROOM = { error: 0, result: 16, stride: 24, tiling: 64, bytes: 256 };

/** WebAssembly memory never shrinks: one that a large picture has filled is given back as a whole. */
const LARGEST_KEPT_MEMORY = 192 * 2 ** 20;

let kept: MainModule | undefined;

/**
 * Reads a HEIF file into libheif. Nobody knows the state of an engine after it has failed in an unforeseen way, so
 * the next file then gets a new one.
 *
 * @throws {ServiceError} `damaged_file`, `unsupported_input`, `out_of_memory`
 */
export async function withLibheif<Result>(
  bytes: Uint8Array<ArrayBuffer>,
  use: (file: OpenHeif) => Result | Promise<Result>,
): Promise<Result> {
  const heif = kept ?? (await createEngine());
  // Whoever comes while it is in use gets another.
  kept = undefined;
  const result = await openAndUse(heif, bytes, use);
  if (memoryOf(heif).byteLength <= LARGEST_KEPT_MEMORY) kept = heif;
  return result;
}

/** Loads libheif, so that the first picture need not wait for it. */
export async function prepareLibheif(): Promise<void> {
  kept ??= await createEngine();
}

async function createEngine(): Promise<MainModule> {
  const [{ createLibheif }, module] = await Promise.all([
    import("../wasm/libheif.ts"),
    wasmModule(wasmAddress),
  ]);
  return createLibheif({
    instantiateWasm: (imports: WebAssembly.Imports, onInstance: (instance: WebAssembly.Instance) => void) => {
      const instance = new WebAssembly.Instance(module, imports);
      onInstance(instance);
      return instance.exports;
    },
    // What libheif has to say of a damaged file goes into the error.
    print: () => {},
    printErr: () => {},
  });
}

async function openAndUse<Result>(
  heif: MainModule,
  bytes: Uint8Array<ArrayBuffer>,
  use: (file: OpenHeif) => Result | Promise<Result>,
): Promise<Result> {
  try {
    const room = heif._malloc(ROOM.bytes);
    const data = heif._malloc(bytes.length);
    if (room === 0 || data === 0) throw outOfMemory();
    new Uint8Array(memoryOf(heif)).set(bytes, data);
    const context = heif._heif_context_alloc();
    try {
      heif._heif_context_read_from_memory_without_copy(room, context, data, bytes.length, 0);
      check(heif, room);
      return await use(openFile(heif, context, room));
    } finally {
      heif._heif_context_free(context);
      heif._free(data);
      heif._free(room);
    }
  } catch (thrown) {
    if (thrown instanceof ServiceError) throw thrown;
    // WebAssembly traps and Emscripten's abort: `RuntimeError`, with "OOM" or "memory" in it when that is why.
    if (/memory|oom/i.test(String(thrown))) throw outOfMemory();
    throw damagedHeif("its decoder cannot cope with it");
  }
}

function openFile(heif: MainModule, context: number, room: number): OpenHeif {
  return {
    decode: (item) => withItem(heif, context, room, item, (handle) => decodeItem(heif, handle, room)),
    decodeCover: () => decodeFirstFrame(heif, context, room),
    tiling: (item) => withItem(heif, context, room, item, (handle) => readTiling(heif, handle, room)),
    decodeTile: (item, place) =>
      withItem(heif, context, room, item, (handle) => decodeTile(heif, handle, room, place)),
  };
}

function withItem<Result>(
  heif: MainModule,
  context: number,
  room: number,
  item: number,
  use: (handle: number) => Result,
): Result {
  heif._heif_context_get_image_handle(room, context, item, room + ROOM.result);
  check(heif, room);
  const handle = word(heif, room + ROOM.result);
  try {
    return use(handle);
  } finally {
    heif._heif_image_handle_release(handle);
  }
}

function decodeItem(heif: MainModule, handle: number, room: number): Raster {
  heif._heif_decode_image(room, handle, room + ROOM.result, RGB, INTERLEAVED_RGBA, 0);
  check(heif, room);
  return takeImage(heif, room);
}

function decodeFirstFrame(heif: MainModule, context: number, room: number): Raster {
  // 0 asks for the first track of pictures.
  const track = heif._heif_context_get_track(context, 0);
  if (track === 0) throw damagedHeif("it is an image sequence without pictures that could be read");
  try {
    heif._heif_track_decode_next_image(room, track, room + ROOM.result, RGB, INTERLEAVED_RGBA, 0);
    check(heif, room);
    return takeImage(heif, room);
  } finally {
    heif._heif_track_release(track);
  }
}

function readTiling(heif: MainModule, handle: number, room: number): Tiling {
  const at = room + ROOM.tiling;
  heif._heif_image_handle_get_image_tiling(room, handle, 1, at);
  check(heif, room);
  const field = (index: number) => word(heif, at + 4 * index);
  const [columns, rows, tileWidth, tileHeight] = [field(1), field(2), field(3), field(4)];
  const [width, height, top, left] = [field(5), field(6), field(7), field(8)];
  return {
    columns,
    rows,
    tileWidth,
    tileHeight,
    // Where turning has brought the incomplete tiles to the left or to the top, libheif 1.23 gives what is shown
    // of them instead of what is hidden.
    hiddenLeft: left === 0 ? 0 : columns * tileWidth - width,
    hiddenTop: top === 0 ? 0 : rows * tileHeight - height,
  };
}

function decodeTile(heif: MainModule, handle: number, room: number, { column, row }: TilePlace): Raster {
  const image = room + ROOM.result;
  heif._heif_image_handle_decode_image_tile(room, handle, image, RGB, INTERLEAVED_RGBA, 0, column, row);
  check(heif, room);
  return takeImage(heif, room);
}

/** Copies a decoded picture out of the engine's memory, and frees it there. */
function takeImage(heif: MainModule, room: number): Raster {
  const image = word(heif, room + ROOM.result);
  try {
    const at = heif._heif_image_get_plane_readonly2(image, INTERLEAVED, room + ROOM.stride);
    const stride = word(heif, room + ROOM.stride);
    const width = heif._heif_image_get_width(image, INTERLEAVED);
    const height = heif._heif_image_get_height(image, INTERLEAVED);
    if (at === 0 || width < 1 || height < 1) throw damagedHeif("a picture of it cannot be decoded");
    const decoded = new Uint8Array(memoryOf(heif), at, stride * height);
    const pixels = new Uint8ClampedArray(width * height * 4);
    if (stride === width * 4) pixels.set(decoded);
    else {
      for (let row = 0; row < height; row++) {
        pixels.set(decoded.subarray(row * stride, row * stride + width * 4), row * width * 4);
      }
    }
    if (heif._heif_image_is_premultiplied_alpha(image) === 1) unpremultiply(pixels);
    return { width, height, pixels };
  } finally {
    heif._heif_image_release(image);
  }
}

function unpremultiply(pixels: Uint8ClampedArray): void {
  for (let at = 0; at + 3 < pixels.length; at += 4) {
    const alpha = pixels[at + 3] ?? 0;
    if (alpha === 0 || alpha === 255) continue;
    for (let channel = at; channel < at + 3; channel++) {
      pixels[channel] = ((pixels[channel] ?? 0) * 255) / alpha;
    }
  }
}

/** Every function of libheif leaves its error, two numbers and a text, where its first argument points. */
function check(heif: MainModule, room: number): void {
  const code = word(heif, room + ROOM.error);
  if (code === 0) return;
  const detail = word(heif, room + ROOM.error + 4);
  if (code === ERROR.memory && detail !== LIMIT_EXCEEDED) throw outOfMemory();
  const reason = text(heif, word(heif, room + ROOM.error + 8));
  if (code === ERROR.unsupportedFeature || code === ERROR.plugin) {
    throw new ServiceError(
      "unsupported_input",
      `A picture of the HEIC file is stored in a way that Stayput does not read (${reason}).`,
    );
  }
  throw damagedHeif(`its decoder says “${reason}”`);
}

function text(heif: MainModule, at: number): string {
  const bytes = new Uint8Array(memoryOf(heif), at, 500);
  const end = bytes.indexOf(0);
  return String.fromCharCode(...bytes.subarray(0, end < 0 ? bytes.length : end)).trim();
}

function word(heif: MainModule, at: number): number {
  return new DataView(memoryOf(heif)).getUint32(at, true);
}

/** The engine's memory, which is another object each time that it has grown. */
function memoryOf(heif: MainModule): ArrayBuffer {
  return heif.HEAPU8.buffer;
}
