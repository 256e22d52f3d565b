import type { MainModule } from "libheif-js/libheif-wasm/libheif.js";
import { ServiceError } from "../../../../src/shared/errors.ts";
import { outOfMemory } from "../../../../src/shared/failure.ts";
import { damagedHeif } from "../../isobmff/cursor.ts";
import { mayBeLikeJpeg, memoryOf, saysLikeJpeg, takePixels, takePlanes, word } from "./copy-libheif-image.ts";
import { setStrict, withOptions } from "./decoding-options.ts";
import { withEngine } from "./libheif-engine.ts";
import type { PixelRaster, PlaneRaster } from "./raster.ts";
import type { TilePlace, Tiling } from "./tiling.ts";

/**
 * A format that libheif decodes to: its numbers in the C interface (heif_image.h, heif_error.h, heif_tiling.h), and how
 * the result is copied.
 */
interface Form<Taken> {
  readonly colorSpace: number;
  readonly chroma: number;
  /** Whether values in the color space of JPEG are not converted. */
  readonly isAsCoded?: boolean;
  take(heif: MainModule, image: number, scratch: number): Taken;
}
const PIXELS: Form<PixelRaster> = { colorSpace: 1, chroma: 11, take: takePixels };
const AS_CODED: Form<PlaneRaster | undefined> = {
  colorSpace: 99,
  chroma: 99,
  isAsCoded: true,
  take: takePlanes,
};
const ERROR = { unsupportedFeature: 4, memory: 6, plugin: 11 };
const LIMIT_EXCEEDED = 1000;
/** Errors of strict decoding that concern unknown code points only. All values are there. */
const UNKNOWN_COLORS: readonly number[] = [133, 134, 135];
/**
 * Offsets in the memory that libheif writes its results to (`scratch`): an error, a pointer, a tiling.
 * copy-libheif-image.ts has further offsets.
 */
const SCRATCH = { error: 0, result: 16, tiling: 64, bytes: 256 };

/**
 * Limits of libheif that real files exceed: bursts and large photos have more than 100 properties. Offsets in
 * heif_security_limits (heif_security.h).
 */
const LIMITS = { items: 28, entitiesInAGroup: 56, boxesInABox: 60 };
/** The limit of libheif up to 1.15. */
const MOST_ENTRIES = 20_000;

/** Files that cannot be opened, and why. Otherwise libheif would try again for each of their pictures. */
const refused = new WeakMap<Uint8Array, ServiceError>();

/**
 * Opens a HEIF file in libheif.
 *
 * @throws {ServiceError} `damaged_file`, `unsupported_input`, `out_of_memory`
 */
export async function withLibheif<Result>(
  bytes: Uint8Array<ArrayBuffer>,
  use: (file: OpenHeifFile) => Result | Promise<Result>,
): Promise<Result> {
  const refusal = refused.get(bytes);
  if (refusal) throw refusal;
  return withEngine(bytes, (heif) => openAndUse(heif, bytes, use));
}

async function openAndUse<Result>(
  heif: MainModule,
  bytes: Uint8Array<ArrayBuffer>,
  use: (file: OpenHeifFile) => Result | Promise<Result>,
): Promise<Result> {
  const scratch = heif._malloc(SCRATCH.bytes);
  const data = heif._malloc(bytes.length);
  if (scratch === 0 || data === 0) throw outOfMemory();
  new Uint8Array(memoryOf(heif)).set(bytes, data);
  const context = heif._heif_context_alloc();
  try {
    widenLimits(heif, context);
    open(heif, scratch, context, { bytes, data });
    return await use(new OpenHeifFile(heif, context, scratch));
  } finally {
    heif._heif_context_free(context);
    heif._free(data);
    heif._free(scratch);
  }
}

function open(
  heif: MainModule,
  scratch: number,
  context: number,
  { bytes, data }: { readonly bytes: Uint8Array; readonly data: number },
): void {
  heif._heif_context_read_from_memory_without_copy(scratch, context, data, bytes.length, 0);
  try {
    check(heif, scratch);
  } catch (thrown) {
    if (thrown instanceof ServiceError && thrown.code !== "out_of_memory") refused.set(bytes, thrown);
    throw thrown;
  }
}

function widenLimits(heif: MainModule, context: number): void {
  const limits = heif._heif_context_get_security_limits(context);
  const view = new DataView(memoryOf(heif), limits);
  for (const at of Object.values(LIMITS)) view.setUint32(at, MOST_ENTRIES, true);
}

/** An open HEIF file. Valid until the call that provides it ends. */
export class OpenHeifFile {
  readonly #heif: MainModule;
  readonly #context: number;
  readonly #scratch: number;

  constructor(heif: MainModule, context: number, scratch: number) {
    this.#heif = heif;
    this.#context = context;
    this.#scratch = scratch;
  }

  /** Decodes an item, rotated, mirrored and cropped. */
  decode(item: number): PixelRaster {
    return this.#decodeItem(item, PIXELS);
  }

  /** Decodes an item to planes. Returns `undefined` when it is not coded in planes. */
  decodePlanes(item: number): PlaneRaster | undefined {
    const mayBe = this.#withItem(item, (handle) => mayBeLikeJpeg(this.#heif, handle, this.#scratch));
    return mayBe ? this.#decodeItem(item, AS_CODED) : undefined;
  }

  /** Decodes the first frame of the first picture track. */
  decodeCover(): PixelRaster {
    const heif = this.#heif;
    // 0 selects the first picture track.
    const track = heif._heif_context_get_track(this.#context, 0);
    if (track === 0) throw damagedHeif("it is an image sequence without pictures that could be read");
    try {
      const { colorSpace, chroma } = PIXELS;
      heif._heif_track_decode_next_image(this.#scratch, track, this.#result, colorSpace, chroma, 0);
      return this.#takeImage(PIXELS);
    } finally {
      heif._heif_track_release(track);
    }
  }

  /** Returns the tiles of an item. */
  tiling(item: number): Tiling {
    return this.#withItem(item, (handle) => {
      const at = this.#scratch + SCRATCH.tiling;
      this.#heif._heif_image_handle_get_image_tiling(this.#scratch, handle, 1, at);
      check(this.#heif, this.#scratch);
      const field = (index: number) => word(this.#heif, at + 4 * index);
      const [columns, rows, tileWidth, tileHeight] = [field(1), field(2), field(3), field(4)];
      const [width, height, top, left] = [field(5), field(6), field(7), field(8)];
      // When rotation moves the incomplete tiles to the left or to the top, libheif 1.23 returns the shown part
      // instead of the hidden part.
      const hiddenLeft = left === 0 ? 0 : columns * tileWidth - width;
      const hiddenTop = top === 0 ? 0 : rows * tileHeight - height;
      return { columns, rows, tileWidth, tileHeight, hiddenLeft, hiddenTop };
    });
  }

  /** Decodes one tile of an item, rotated and mirrored. */
  decodeTile(item: number, place: TilePlace): PixelRaster {
    return this.#decodePlace(item, place, PIXELS);
  }

  /** Decodes one tile to planes. Returns `undefined` when it is not coded in planes. */
  decodeTilePlanes(item: number, place: TilePlace): PlaneRaster | undefined {
    return this.#decodePlace(item, place, AS_CODED);
  }

  #decodeItem<Taken>(item: number, form: Form<Taken>): Taken {
    const { colorSpace, chroma } = form;
    const heif = this.#heif;
    return this.#withOptions(item, form, (handle, options) => {
      const decode = () =>
        heif._heif_decode_image(this.#scratch, handle, this.#result, colorSpace, chroma, options);
      setStrict(heif, options, true);
      decode();
      if (UNKNOWN_COLORS.includes(word(heif, this.#scratch + SCRATCH.error + 4))) {
        setStrict(heif, options, false);
        decode();
      }
      return this.#takeImage(form);
    });
  }

  #decodePlace<Taken>(item: number, { column, row }: TilePlace, form: Form<Taken>): Taken {
    const { colorSpace: colors, chroma } = form;
    const [heif, error, image] = [this.#heif, this.#scratch, this.#result];
    return this.#withOptions(item, form, (handle, options) => {
      heif._heif_image_handle_decode_image_tile(error, handle, image, colors, chroma, options, column, row);
      return this.#takeImage(form);
    });
  }

  /** The address where libheif writes pointers. */
  get #result(): number {
    return this.#scratch + SCRATCH.result;
  }

  #withItem<Result>(item: number, use: (handle: number) => Result): Result {
    const heif = this.#heif;
    heif._heif_context_get_image_handle(this.#scratch, this.#context, item, this.#result);
    check(heif, this.#scratch);
    const handle = word(heif, this.#result);
    try {
      return use(handle);
    } finally {
      heif._heif_image_handle_release(handle);
    }
  }

  #withOptions<Taken>(
    item: number,
    form: Form<Taken>,
    use: (handle: number, options: number) => Taken,
  ): Taken {
    const heif = this.#heif;
    return this.#withItem(item, (handle) => {
      // Otherwise libheif converts the colors of the file to sRGB.
      const keepsColors = form.isAsCoded === true && saysLikeJpeg(heif, handle, this.#scratch);
      return withOptions(heif, keepsColors, (options) => use(handle, options));
    });
  }

  /** Copies a decoded picture and frees it in libheif. */
  #takeImage<Taken>({ take }: Form<Taken>): Taken {
    const heif = this.#heif;
    check(heif, this.#scratch);
    const image = word(heif, this.#result);
    try {
      return take(heif, image, this.#scratch);
    } finally {
      heif._heif_image_release(image);
    }
  }
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
  throw damagedHeif(`its decoder says “${reason}”`);
}

function text(heif: MainModule, at: number): string {
  const bytes = new Uint8Array(memoryOf(heif), at, 500);
  const end = bytes.indexOf(0);
  return String.fromCharCode(...bytes.subarray(0, end < 0 ? bytes.length : end)).trim();
}
