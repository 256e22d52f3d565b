import createDecoder from "@jsquash/jpeg/codec/dec/mozjpeg_dec.js";
import { instantiate } from "./emscripten-module.ts";

/**
 * What libjpeg complains of when it decodes a file: of several things, the first.
 *
 * @returns nothing when it gives up, or does not know the colours: CMYK among them
 */
export async function jpegWarnings(
  module: WebAssembly.Module,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<readonly string[] | undefined> {
  const warnings: string[] = [];
  const decoder: Decoder = await instantiate(createDecoder, module, (warning) => warnings.push(warning));
  try {
    return decoder.decode(bytes, false) === null ? undefined : warnings;
  } catch {
    // It may be in any state now: the next file gets another.
    return undefined;
  }
}

interface Decoder {
  decode(bytes: Uint8Array<ArrayBuffer>, appliesOrientation: boolean): ImageData | null;
}
