import createDecoder from "@jsquash/jpeg/codec/dec/mozjpeg_dec.js";
import { instantiate } from "../../../wasm/emscripten-module.ts";

/** What libjpeg makes of a file. */
export interface DecodedJpeg {
  /** As it is stored, before any rotation, and opaque. */
  readonly image: ImageData;
  /** What it complains of: of several things, the first. */
  readonly warnings: readonly string[];
}

/**
 * Decodes by libjpeg.
 *
 * @returns nothing when it gives up, or does not know the colors: CMYK among them
 */
export async function decodeJpeg(
  module: WebAssembly.Module,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<DecodedJpeg | undefined> {
  const warnings: string[] = [];
  const decoder: Decoder = await instantiate(createDecoder, module, (warning) => warnings.push(warning));
  try {
    const image = decoder.decode(bytes, false);
    return image === null ? undefined : { image, warnings };
  } catch {
    // It may be in any state now: the next file gets another.
    return undefined;
  }
}

interface Decoder {
  decode(bytes: Uint8Array<ArrayBuffer>, appliesOrientation: boolean): ImageData | null;
}
