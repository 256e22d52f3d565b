import wasmUrl from "@jsquash/png/codec/pkg/squoosh_png_bg.wasm?url";
import { outOfMemory } from "../../../../src/shared/failure.ts";
import { isOutOfMemory } from "../../../../src/shared/job-failure.ts";
import { bytesOf } from "../../../io/file-bytes.ts";
import { bufferSource } from "../../../io/source.ts";
import { wasmModule } from "../../../wasm/wasm-module.ts";
import { canvasReadback } from "../../browser/canvas-readback.ts";
import { cannotBeDecoded, decodeNatively } from "../../browser/decode-natively.ts";
import type { Orientation } from "../../metadata/exif.ts";
import { bitmapPicture, pixelPicture, pixelsOf } from "../../picture/convert-layout.ts";
import type { BitmapPicture, Picture, PixelPicture } from "../../picture/picture.ts";
import { uprightBitmap, uprightPixels, uprightSize } from "../../picture/upright.ts";
import type { Codec } from "../codec.ts";
import { encodeNatively } from "../encode-natively.ts";
import { unsupportedKind } from "../image-errors.ts";
import { decodePng, encodePng } from "../png-values.ts";
import { codedPng, hasIntactPixels, plainPng, withPngMetadata } from "./chunks.ts";
import { mayBeTransparent, type Png, readPng } from "./read-png.ts";

const TYPE = "image/png";

/**
 * PNG, decoded to 8 bits per value, as browsers do. Browsers decode a copy without the chunks on which they disagree.
 * The orientation in EXIF is applied here.
 *
 * A PNG that is not made smaller becomes a PNG by copying its coded data: with 16 bits, a palette or an animation.
 */
export const codec: Codec = {
  decoder: {
    async open(file) {
      const bytes = await bytesOf(file);
      const png = readPng(bufferSource(bytes));
      const { width, height, orientation, resolution, exif, xmp, isTooLong } = png;
      const plain = plainPng(file, bytes, png);
      return [
        {
          ...{ width, height, resolution, hasAlpha: mayBeTransparent(png), isLossless: true },
          shown: uprightSize(png, orientation),
          color: png.color,
          decoders: png.isCgbi
            ? { browser: () => Promise.reject(unsupportedKind("PNG", "CgBI")) }
            : {
                pixels: () => decodeExactly(plain, orientation),
                browser: (keepsValues) => decodeInBrowser({ png, bytes, plain }, keepsValues),
              },
          ...(orientation === 1 && { coded: async () => codedPng(bytes, png) }),
          metadata: async () => ({ exif, xmp, isTooLong }),
        },
      ];
    },
  },
  encoder: {
    lossy: false,
    alpha: true,
    metadata: true,
    accepts: () => ({ planes: false, fidelity: "exact" }),
    encode: encodePicture,
    withMetadata: withPngMetadata,
  },
};

/** Encodes with the browser where that keeps every value. Otherwise uses the WebAssembly encoder. */
async function encodePicture(picture: Picture): Promise<Blob> {
  const isExact = picture.layout !== "rgba" || (!picture.hasAlpha && (await canvasReadback("exactly")));
  const native = isExact ? await encodeNatively(picture, TYPE) : undefined;
  if (native !== undefined) return native;
  const { width, height } = picture;
  const bytes = await encodePng(await wasmModule(wasmUrl), pixelsOf(picture), width, height);
  return new Blob([bytes], { type: TYPE });
}

interface OpenPng {
  readonly png: Png;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The copy that the browser decodes. */
  readonly plain: Blob;
}

async function decodeInBrowser({ png, bytes, plain }: OpenPng, keepsValues: boolean): Promise<BitmapPicture> {
  // Some browsers decode damaged pixels without an error.
  if (!hasIntactPixels(bytes)) throw cannotBeDecoded("PNG");
  const bitmap = uprightBitmap(await decodeNatively(plain, TYPE, keepsValues), png.orientation);
  const isAsStored = png.orientation === 1 && png.color === undefined;
  return bitmapPicture(bitmap, mayBeTransparent(png), isAsStored);
}

/**
 * Decodes exact values. Returns `undefined` when the decoder fails. It is stricter than browsers, which may still
 * decode the file.
 *
 * @param plain the file without an invalid profile, at which the decoder would fail
 */
async function decodeExactly(plain: Blob, orientation: Orientation): Promise<PixelPicture | undefined> {
  const module = await wasmModule(wasmUrl);
  const image = await decodePng(module, await bytesOf(plain)).catch((thrown: unknown) => {
    if (isOutOfMemory(thrown)) throw outOfMemory();
    return undefined;
  });
  return image && uprightPixels(pixelPicture(image.data, image.width, image.height), orientation);
}
