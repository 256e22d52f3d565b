import type { Picture } from "../picture.ts";
import { wasmModule } from "../wasm-module.ts";
import { canReadRows, frameOfBitmap, pixelRowsOf } from "./bitmap-rows.ts";
import { rowsOfFrame } from "./frame-rows.ts";
import { JpegEncoder } from "./jpeg-encoder.ts";
import encoderAddress from "./jpeg-encoder.wasm?url";
import { rowsOfPlanes } from "./plane-rows.ts";

/** From this on, browsers keep all of the chroma, and the encoder does not. */
const WHOLE_CHROMA = 0.995;

/** A module of one function that gives a vector: it is valid where the encoder will be. */
const VECTOR_MODULE = Uint8Array.of(
  ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
  ...[1, 5, 1, 0x60, 0, 1, 0x7b],
  ...[3, 2, 1, 0],
  ...[10, 8, 1, 6, 0, 0x41, 0, 0xfd, 0x0f, 0x0b],
);

/** The one that is in nobody's use. */
let kept: JpegEncoder | undefined;

/**
 * Encodes an opaque picture as a JPEG, faster than browsers do.
 *
 * @param quality from 0 to 1
 * @returns nothing for what is better left to the browser
 * @throws {ServiceError} `internal_error` when the encoder is not served or must not run
 */
export async function encodeJpeg(
  picture: Picture,
  quality: number,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if (quality >= WHOLE_CHROMA) return undefined;
  if (picture.kind === "bitmap" && !(isReadable(picture) && (await canReadRows()))) return undefined;
  const encoder = kept ?? (await load());
  if (encoder === undefined) return undefined;
  // Whoever comes while it is in use gets another.
  kept = undefined;
  const encoded = await encodeBy(encoder, picture, quality);
  kept = encoder;
  return encoded;
}

/** Whether a picture in planes is encoded as it is, at a quality from 0 to 1. */
export function encodesPlanes(quality: number): boolean {
  return quality < WHOLE_CHROMA && knowsVectors();
}

async function encodeBy(
  encoder: JpegEncoder,
  picture: Picture,
  quality: number,
): Promise<Uint8Array<ArrayBuffer>> {
  switch (picture.kind) {
    case "pixels":
      return encoder.encode(picture, quality);
    case "planes":
      return picture.arrival === undefined
        ? encoder.encodePlanes(picture.planes, picture, quality)
        : encoder.encodeRows(rowsOfPlanes(picture.planes, picture, picture.arrival), quality);
    case "frame":
      return encoder.encodeRows(rowsOfFrame(picture.frame, picture), quality);
    case "bitmap":
      return encodeBitmap(encoder, picture.bitmap, quality);
  }
}

/** Only of a bitmap that is as stored the values are what the picture shows. One that a canvas has taken has none. */
function isReadable({ bitmap, isAsStored, hasAlpha }: Extract<Picture, { kind: "bitmap" }>): boolean {
  return isAsStored === true && !hasAlpha && bitmap.width > 0;
}

async function encodeBitmap(
  encoder: JpegEncoder,
  bitmap: ImageBitmap,
  quality: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const frame = frameOfBitmap(bitmap);
  try {
    return await encoder.encodeRows(pixelRowsOf(frame, bitmap), quality);
  } finally {
    frame.close();
  }
}

function knowsVectors(): boolean {
  return WebAssembly.validate(VECTOR_MODULE);
}

async function load(): Promise<JpegEncoder | undefined> {
  if (!knowsVectors()) return undefined;
  return new JpegEncoder(await wasmModule(encoderAddress));
}
