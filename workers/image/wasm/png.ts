import initialize, { decode, encode } from "@jsquash/png/codec/pkg/squoosh_png.js";

/**
 * Decodes to 8 bits for each of red, green, blue and alpha, which is not premultiplied.
 *
 * @throws what the decoder dies of, when the data is damaged
 */
export async function decodePng(module: WebAssembly.Module, bytes: Uint8Array): Promise<ImageData> {
  await initialize(module);
  return decode(bytes);
}

/** Encodes red, green, blue and alpha with 8 bits each, not premultiplied. */
export async function encodePng(
  module: WebAssembly.Module,
  pixels: Uint8ClampedArray,
  width: number,
  height: number,
): Promise<Uint8Array> {
  await initialize(module);
  return encode(new Uint8Array(pixels.buffer, pixels.byteOffset, pixels.length), width, height, 8);
}
