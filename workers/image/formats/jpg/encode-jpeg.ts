import { JpegEncoder, type PlaneSource, pixelSource } from "../../../codecs/jpeg/index.ts";
import encoderAddress from "../../../codecs/jpeg/jpeg-encoder.wasm?url";
import { supportsSimd } from "../../../wasm/simd-support.ts";
import { wasmModule } from "../../../wasm/wasm-module.ts";
import { isDrawable } from "../../browser/canvas.ts";
import { canvasOf, pixelsOf } from "../../picture/convert-layout.ts";
import type { BitmapPicture, Picture, PlanePicture } from "../../picture/picture.ts";
import { chromaSize } from "../../picture/planes.ts";
import type { Size } from "../../picture/size.ts";
import { canReadRows, frameOf, pixelRowsOf, prefersCanvas } from "./bitmap-rows.ts";
import { planeRowsOf } from "./frame-rows.ts";

/** From this quality on, browsers keep full chroma. Our encoder does not. */
const WHOLE_CHROMA = 0.995;

type File = Uint8Array<ArrayBuffer>;

/**
 * Encodes an opaque picture as a JPEG, faster than browsers.
 *
 * @param quality from 0 to 1
 * @returns the file, or `undefined` when the browser should encode the picture
 * @throws {ServiceError} `internal_error` when the encoder is not served, or when the content security policy forbids
 *   it
 */
export async function encodeJpeg(picture: Picture, quality: number): Promise<File | undefined> {
  if (quality >= WHOLE_CHROMA) return undefined;
  if (picture.layout === "bitmap" && !(isReadable(picture) && (await canReadRows()))) return undefined;
  if (!supportsSimd()) return undefined;
  return encodeBy(new JpegEncoder(await wasmModule(encoderAddress)), picture, quality);
}

/**
 * Encodes gray samples, a byte each, as a JPEG with one component.
 *
 * @param quality from 0 to 1
 * @returns `undefined` in a browser without WebAssembly SIMD
 */
export async function encodeGrayJpeg(
  samples: Uint8Array,
  { width, height }: Size,
  quality: number,
): Promise<File | undefined> {
  if (!supportsSimd()) return undefined;
  const readRows = async (first: number, count: number) =>
    samples.subarray(first * width, (first + count) * width);
  const encoder = new JpegEncoder(await wasmModule(encoderAddress));
  return encoder.encode({ kind: "gray", width, height, readRows }, quality);
}

/** Whether planes are encoded without conversion, at a quality from 0 to 1. */
export function encodesPlanes(quality: number): boolean {
  return quality < WHOLE_CHROMA && supportsSimd();
}

async function encodeBy(encoder: JpegEncoder, picture: Picture, quality: number): Promise<File> {
  switch (picture.layout) {
    case "rgba":
      return encoder.encode(pixelSource(picture), quality);
    case "yuv420":
      return encoder.encode(rowsOfPlanes(picture), quality);
    case "frame":
      return encoder.encode(planeRowsOf(picture.frame, picture), quality);
    case "bitmap":
      return encodeBitmap(encoder, picture, quality);
  }
}

async function encodeBitmap(encoder: JpegEncoder, picture: BitmapPicture, quality: number): Promise<File> {
  const { width, height, isAsStored } = picture;
  if ((await prefersCanvas()) || !(isAsStored || isDrawable(picture))) {
    return encoder.encode(pixelSource({ width, height, pixels: pixelsOf(picture) }), quality);
  }
  const frame = frameOf(isAsStored ? picture.bitmap : canvasOf(picture));
  try {
    return await encoder.encode(pixelRowsOf(frame, picture), quality);
  } finally {
    frame.close();
  }
}

/** Whether the bitmap still has its pixels. A canvas may have taken them over. */
function isReadable({ bitmap, hasAlpha }: BitmapPicture): boolean {
  return !hasAlpha && bitmap.width > 0;
}

function rowsOfPlanes({ planes: { luma, cb, cr }, width, height }: PlanePicture): PlaneSource {
  const chromaWidth = chromaSize({ width, height }).width;
  return {
    ...{ kind: "planes", width, height, subsampling: { across: 2, down: 2 } },
    async readRows(first, count) {
      const chroma = [(first / 2) * chromaWidth, Math.ceil((first + count) / 2) * chromaWidth] as const;
      return {
        luma: luma.subarray(first * width, (first + count) * width),
        cb: cb.subarray(...chroma),
        cr: cr.subarray(...chroma),
      };
    },
  };
}
