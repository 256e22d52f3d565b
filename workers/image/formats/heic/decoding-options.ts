import type { MainModule } from "libheif-js/libheif-wasm/libheif.js";
import { outOfMemory } from "../../../../src/shared/failure.ts";
import { memoryOf } from "./copy-libheif-image.ts";

/** A field of heif_decoding_options (heif_decoding.h): its offset, and the version of the structure that added it. */
interface Option {
  readonly at: number;
  readonly since: number;
}

/** Keeps the colors of the file. Otherwise libheif 1.23 converts them to sRGB, through red, green and blue. */
const KEEPS_COLORS: Option = { at: 69, since: 10 };
/** Reports a tile that cannot be decoded. Otherwise libheif leaves it out without an error. */
const IS_STRICT: Option = { at: 21, since: 3 };

/**
 * Provides decoding options of libheif while `use` runs.
 *
 * @param use gets the address of the options
 */
export function withOptions<Result>(
  heif: MainModule,
  keepsColors: boolean,
  use: (options: number) => Result,
): Result {
  const options = heif._heif_decoding_options_alloc();
  if (options === 0) throw outOfMemory();
  try {
    set(heif, options, KEEPS_COLORS, keepsColors);
    return use(options);
  } finally {
    heif._heif_decoding_options_free(options);
  }
}

/** Sets whether a tile that cannot be decoded is an error. */
export function setStrict(heif: MainModule, options: number, isStrict: boolean): void {
  set(heif, options, IS_STRICT, isStrict);
}

function set(heif: MainModule, options: number, { at, since }: Option, value: boolean): void {
  const bytes = new Uint8Array(memoryOf(heif));
  const [version = 0] = bytes.subarray(options);
  if (version >= since) bytes[options + at] = Number(value);
}
