import { wasmModule } from "../wasm-module.ts";
import { JpegEncoder } from "./jpeg-encoder.ts";
import encoderAddress from "./jpeg-encoder.wasm?url";

/** A module of one function that gives a vector: it is valid where the encoder will be. */
const VECTOR_MODULE = Uint8Array.of(
  ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
  ...[1, 5, 1, 0x60, 0, 1, 0x7b],
  ...[3, 2, 1, 0],
  ...[10, 8, 1, 6, 0, 0x41, 0, 0xfd, 0x0f, 0x0b],
);

/** The one that is in nobody's use. */
let kept: JpegEncoder | undefined;

/** Whether the browser knows the vectors that the encoder is made of. */
export function knowsVectors(): boolean {
  return WebAssembly.validate(VECTOR_MODULE);
}

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
