import type { PixelPicture } from "../picture.ts";
import { wasmModule } from "../wasm-module.ts";
import { JpegEncoder } from "./jpeg-encoder.ts";
import encoderAddress from "./jpeg-encoder.wasm?url";

/** From this on, browsers keep all of the chroma, and the encoder does not. */
const WHOLE_CHROMA = 0.995;

/** A module of one function that gives a vector: it is valid where the encoder will be. */
const VECTOR_MODULE = Uint8Array.of(
  ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
  ...[1, 5, 1, 0x60, 0, 1, 0x7b],
  ...[3, 2, 1, 0],
  ...[10, 8, 1, 6, 0, 0x41, 0, 0xfd, 0x0f, 0x0b],
);

let encoder: Promise<JpegEncoder | undefined> | undefined;

/**
 * Encodes opaque values as a JPEG, faster than browsers do, which first have to be given them in a canvas.
 *
 * @param quality from 0 to 1
 * @returns nothing for what is better left to the browser
 * @throws {ServiceError} `internal_error` when the encoder is not served or must not run
 */
export async function encodeJpeg(
  picture: PixelPicture,
  quality: number,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if (quality >= WHOLE_CHROMA) return undefined;
  encoder ??= load().catch((thrown) => {
    encoder = undefined;
    throw thrown;
  });
  return (await encoder)?.encode(picture, quality);
}

/** Nothing in browsers that do not know vectors. */
async function load(): Promise<JpegEncoder | undefined> {
  if (!WebAssembly.validate(VECTOR_MODULE)) return undefined;
  return new JpegEncoder(await wasmModule(encoderAddress));
}
