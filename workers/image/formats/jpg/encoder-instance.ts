import { JpegEncoder } from "../../../codecs/jpeg/index.ts";
import encoderAddress from "../../../codecs/jpeg/jpeg-encoder.wasm?url";
import { wasmModule } from "../../wasm/wasm-module.ts";

/** The one that is in nobody's use. */
let kept: JpegEncoder | undefined;

/**
 * Lends the encoder, which is loaded when first needed.
 *
 * @throws {ServiceError} `internal_error` when it is not served or must not run
 */
export async function withEncoder<Result>(use: (encoder: JpegEncoder) => Promise<Result>): Promise<Result> {
  const encoder = kept ?? new JpegEncoder(await wasmModule(encoderAddress));
  // Whoever comes while it is in use gets another.
  kept = undefined;
  const result = await use(encoder);
  kept = encoder;
  return result;
}
