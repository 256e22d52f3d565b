import decoderAddress from "../../../codecs/hevc/hevc-decoder.wasm?url";
import { type CodedPicture, HevcDecoder, UnsupportedBitstream } from "../../../codecs/hevc/index.ts";
import { newPlanes, type Planes } from "../../picture/planes.ts";
import { wasmModule } from "../../wasm/wasm-module.ts";

/** WebAssembly memory never shrinks: one that much coded data has filled is given back as a whole. */
const LARGEST_KEPT_MEMORY = 64 * 2 ** 20;

let kept: HevcDecoder | undefined;

/**
 * Loads what decodes HEVC, when it is first needed.
 *
 * @throws {ServiceError} `internal_error` when it is not served or must not run
 */
export function loadHevcDecoder(): Promise<WebAssembly.Module> {
  return wasmModule(decoderAddress);
}

/**
 * Decodes a picture to its planes.
 *
 * @throws {UnsupportedBitstream} when its data are damaged
 */
export function decodeHevc(module: WebAssembly.Module, picture: CodedPicture): Planes {
  const decoder = kept ?? new HevcDecoder(module);
  // Nobody knows the state of one that has failed.
  kept = undefined;
  const planes = newPlanes(picture.size);
  try {
    decoder.decode(picture, planes);
  } catch (thrown) {
    // What damaged data lead out of its memory ends it.
    if (thrown instanceof WebAssembly.RuntimeError)
      throw new UnsupportedBitstream("its decoder cannot cope with it");
    throw thrown;
  }
  if (decoder.memoryBytes <= LARGEST_KEPT_MEMORY) kept = decoder;
  return planes;
}
