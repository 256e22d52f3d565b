import decoderAddress from "../../../codecs/hevc/hevc-decoder.wasm?url";
import { type CodedPicture, HevcDecoder, UnsupportedBitstream } from "../../../codecs/hevc/index.ts";
import { newPlanes, type Planes } from "../../picture/planes.ts";
import { WasmInstanceCache } from "../../wasm/instance-cache.ts";
import { wasmModule } from "../../wasm/wasm-module.ts";

const decoders = new WasmInstanceCache(
  (module) => new HevcDecoder(module),
  (decoder) => decoder.memoryBytes,
);

/**
 * Loads the HEVC decoder on first use.
 *
 * @throws {ServiceError} `internal_error` when it is not served, or when the content security policy forbids it
 */
export function loadHevcDecoder(): Promise<WebAssembly.Module> {
  return wasmModule(decoderAddress);
}

/**
 * Decodes a picture to its planes.
 *
 * @throws {UnsupportedBitstream} when its data is damaged
 */
export function decodeHevc(module: WebAssembly.Module, picture: CodedPicture): Planes {
  const decoder = decoders.take(module);
  const planes = newPlanes(picture.size);
  try {
    decoder.decode(picture, planes);
  } catch (thrown) {
    // Damaged data made the decoder access memory out of bounds.
    if (thrown instanceof WebAssembly.RuntimeError)
      throw new UnsupportedBitstream("its decoder cannot decode it");
    throw thrown;
  }
  decoders.giveBack(decoder);
  return planes;
}
