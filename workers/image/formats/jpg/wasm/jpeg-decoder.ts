import createDecoder from "@jsquash/jpeg/codec/dec/mozjpeg_dec.js";
import { instantiate, runCodec } from "../../../../wasm/emscripten-module.ts";

/** A picture that libjpeg decoded. */
interface DecodedJpeg {
  /** As stored, before any rotation. Opaque. */
  readonly image: ImageData;
  /** The first warning of libjpeg. */
  readonly warnings: readonly string[];
}

/**
 * Decodes a JPEG with libjpeg.
 *
 * @returns `undefined` when it fails, or for an unsupported color space such as CMYK
 */
export async function decodeJpeg(
  module: WebAssembly.Module,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<DecodedJpeg | undefined> {
  const warnings: string[] = [];
  const decoder: Decoder = await instantiate(createDecoder, module, {
    onWarning: (warning) => warnings.push(warning),
  });
  const image = runCodec(() => decoder.decode(bytes, false));
  return image ? { image, warnings } : undefined;
}

interface Decoder {
  decode(bytes: Uint8Array<ArrayBuffer>, appliesOrientation: boolean): ImageData | null;
}
