import { wasmModule } from "../../../wasm/wasm-module.ts";
import { PngDecoder } from "./png-decoder.ts";
import decoderAddress from "./png-decoder.wasm?url";

/** The one that is in nobody's use. */
let kept: PngDecoder | undefined;

/**
 * Lends the decoder, which is loaded when first needed. It is not kept when that goes wrong.
 *
 * @throws {ServiceError} `internal_error` when it is not served or must not run
 */
export async function* withDecoder<Result>(
  use: (decoder: PngDecoder) => AsyncIterable<Result>,
): AsyncGenerator<Result> {
  const decoder = kept ?? new PngDecoder(await wasmModule(decoderAddress));
  // Whoever comes while it is in use gets another.
  kept = undefined;
  yield* use(decoder);
  kept = decoder;
}
