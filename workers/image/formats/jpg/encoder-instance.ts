import { JpegEncoder } from "../../../codecs/jpeg/index.ts";
import encoderAddress from "../../../codecs/jpeg/jpeg-encoder.wasm?url";
import { WasmInstanceCache } from "../../wasm/instance-cache.ts";
import { wasmModule } from "../../wasm/wasm-module.ts";

const encoders = new WasmInstanceCache((module) => new JpegEncoder(module));

/**
 * Provides an encoder while `use` runs. Loads its code on first use.
 *
 * @throws {ServiceError} `internal_error` when it is not served, or when the content security policy forbids it
 */
export async function withEncoder<Result>(use: (encoder: JpegEncoder) => Promise<Result>): Promise<Result> {
  const encoder = encoders.take(await wasmModule(encoderAddress));
  const result = await use(encoder);
  encoders.giveBack(encoder);
  return result;
}
