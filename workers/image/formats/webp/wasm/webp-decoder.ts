import createDecoder from "@jsquash/webp/codec/dec/webp_dec.js";
import { instantiate } from "../../../../wasm/emscripten-module.ts";

/**
 * Decodes a WebP with libwebp.
 *
 * @returns the pixels, with alpha that is not premultiplied, or `null` when the data is damaged
 */
export async function decodeWebp(module: WebAssembly.Module, bytes: Uint8Array): Promise<ImageData | null> {
  const decoder: { decode(bytes: Uint8Array): ImageData | null } = await instantiate(createDecoder, module);
  return decoder.decode(bytes);
}
