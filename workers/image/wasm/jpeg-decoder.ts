import createDecoder from "@jsquash/jpeg/codec/dec/mozjpeg_dec.js";
import { instantiate } from "./emscripten-module.ts";

/**
 * Decodes by libjpeg, which gets over much that browsers refuse. Orientation and profile are left alone.
 *
 * @throws what libjpeg dies of, when it gives up or does not know the colours: CMYK among them
 */
export async function decodeJpeg(
  module: WebAssembly.Module,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<ImageData | null> {
  const decoder: Decoder = await instantiate(createDecoder, module);
  return decoder.decode(bytes, false);
}

interface Decoder {
  decode(bytes: Uint8Array<ArrayBuffer>, appliesOrientation: boolean): ImageData | null;
}
