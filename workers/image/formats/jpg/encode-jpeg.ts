import { type JpegEncoder, pixelSource } from "../../../codecs/jpeg/index.ts";
import { canvasOf } from "../../picture/convert-layout.ts";
import type { BitmapPicture, Picture } from "../../picture/picture.ts";
import { supportsSimd } from "../../wasm/simd-support.ts";
import { canReadRows, fasterReading, frameOf, pixelRowsOf } from "./bitmap-rows.ts";
import { withEncoder } from "./encoder-instance.ts";
import { planeRowsOf } from "./frame-rows.ts";
import type { FrameRequest } from "./mcu-row-helper.ts";
import { encodeShared, isWorthSharing } from "./parallel-encoding.ts";
import { rowsOfPlanes } from "./plane-rows.ts";

/** From this quality on, browsers keep full chroma. Our encoder does not. */
const WHOLE_CHROMA = 0.995;

type Parts = readonly Uint8Array<ArrayBuffer>[];

/**
 * Encodes an opaque picture as a JPEG, faster than browsers.
 *
 * @param quality from 0 to 1
 * @param helpers the number of other workers that may help with a large picture
 * @returns the parts of the file, or `undefined` when the browser should encode the picture
 * @throws {ServiceError} `internal_error` when the encoder is not served, or when the content security policy forbids
 *   it
 */
export async function encodeJpeg(picture: Picture, quality: number, helpers = 0): Promise<Parts | undefined> {
  if (quality >= WHOLE_CHROMA) return undefined;
  if (picture.layout === "bitmap" && !(isReadable(picture) && (await canReadRows()))) return undefined;
  if (!supportsSimd()) return undefined;
  return withEncoder((encoder) => encodeBy(encoder, picture, quality, helpers));
}

/** Whether planes are encoded without conversion, at a quality from 0 to 1. */
export function encodesPlanes(quality: number): boolean {
  return quality < WHOLE_CHROMA && supportsSimd();
}

async function encodeBy(
  encoder: JpegEncoder,
  picture: Picture,
  quality: number,
  helpers: number,
): Promise<Parts> {
  const { width, height } = picture;
  switch (picture.layout) {
    case "rgba":
      return [await encoder.encode(pixelSource(picture), quality)];
    case "yuv420":
      return [await encoder.encode(rowsOfPlanes(picture.planes, picture), quality)];
    case "frame":
      return encodeFrame(encoder, { frame: picture.frame, quality, width, height }, helpers);
    case "bitmap": {
      const frame = frameOf(picture.isAsStored ? picture.bitmap : canvasOf(picture));
      try {
        const reading = await fasterReading();
        return await encodeFrame(encoder, { frame, quality, width, height, reading }, helpers);
      } finally {
        frame.close();
      }
    }
  }
}

/** Whether the bitmap still has its pixels. A canvas may have taken them over. */
function isReadable({ bitmap, hasAlpha }: BitmapPicture): boolean {
  return !hasAlpha && bitmap.width > 0;
}

async function encodeFrame(encoder: JpegEncoder, request: FrameRequest, helpers: number): Promise<Parts> {
  if (isWorthSharing(request)) return encodeShared(encoder, request, helpers);
  const { frame, quality } = request;
  return [await encoder.encode(planeRowsOf(frame, request) ?? pixelRowsOf(frame, request), quality)];
}
