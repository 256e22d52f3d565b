import { ServiceError } from "../../../src/shared/errors.ts";
import { withCause } from "../../../src/shared/failure.ts";
import { supportsSimd } from "../../wasm/simd-support.ts";
import { wasmModule } from "../../wasm/wasm-module.ts";
import { PixelRows, release } from "./convert-layout.ts";
import type { FramePicture, Picture } from "./picture.ts";
import { chromaSize, newPlanes, type Planes, pixelsOfPlanes, SUBSAMPLINGS } from "./planes.ts";
import resamplerAddress from "./resample.wasm?url";
import { Resampler, rowsOf } from "./resampler.ts";
import type { Size } from "./size.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** The planes of an opaque picture in the color space of JPEG. Cb and Cr may have any size. */
interface SampledPlanes extends Planes {
  readonly chroma: Size;
}

/**
 * Returns a picture at a smaller size. Consumes the picture.
 *
 * @param to not larger than the picture
 * @param keepsPlanes whether planes stay planes. Otherwise the result is pixels
 * @throws {ServiceError} `unsupported_conversion` in a browser without WebAssembly SIMD
 */
export async function resizePicture(picture: Picture, to: Size, keepsPlanes: boolean): Promise<Picture> {
  try {
    return await resized(picture, to, keepsPlanes);
  } finally {
    release(picture);
  }
}

/**
 * Returns gray samples, a byte each, at a smaller size. Throws as {@link resizePicture}.
 *
 * @param to not larger than the picture
 */
export async function resizeGray(samples: Uint8Array, { width, height }: Size, to: Size): Promise<Bytes> {
  const smaller = new Uint8Array(to.width * to.height);
  const resampler = await newResampler();
  resampler.resample(
    { row: rowsOf(samples, width), width, height, channels: 1, hasAlpha: false },
    to,
    smaller,
  );
  return smaller;
}

async function newResampler(): Promise<Resampler> {
  if (!supportsSimd()) {
    throw new ServiceError(
      "unsupported_conversion",
      "This browser is too old to make a picture smaller. Update it, or keep the size of the picture.",
      withCause("There is no WebAssembly SIMD."),
    );
  }
  return new Resampler(await wasmModule(resamplerAddress));
}

async function resized(picture: Picture, to: Size, keepsPlanes: boolean): Promise<Picture> {
  const { width, height, icc, hasAlpha } = picture;
  const traits = { width: to.width, height: to.height, hasAlpha, icc };
  const resampler = await newResampler();
  const planes = await planesOf(picture);
  if (planes === undefined) {
    const pixels = new Uint8ClampedArray(4 * to.width * to.height);
    const rows = new PixelRows(picture);
    resampler.resample(
      { row: inBands(rows, 4 * width, height), width, height, channels: 4, hasAlpha },
      to,
      pixels,
    );
    rows.close();
    return { ...traits, layout: "rgba", pixels };
  }
  const chroma = keepsPlanes ? chromaSize(to) : to;
  const smaller = newPlanes(to, chroma);
  const resample = (values: Uint8Array, { width, height }: Size, size: Size, output: Uint8Array) => {
    const row = rowsOf(values, width);
    resampler.resample({ row, width, height, channels: 1, hasAlpha: false }, size, output);
  };
  resample(planes.luma, picture, to, smaller.luma);
  resample(planes.cb, planes.chroma, chroma, smaller.cb);
  resample(planes.cr, planes.chroma, chroma, smaller.cr);
  return keepsPlanes
    ? { ...traits, layout: "yuv420", planes: smaller, hasAlpha: false }
    : { ...traits, layout: "rgba", pixels: pixelsOfPlanes(smaller, to, chroma) };
}

/** Returns a function that returns rows from the top, each once. It reads many at once. */
function inBands(rows: PixelRows, rowBytes: number, height: number): (y: number) => Uint8ClampedArray {
  let band = new Uint8ClampedArray();
  return (y) => {
    const inBand = y % rows.most;
    if (inBand === 0) band = rows.read(y, Math.min(rows.most, height - y));
    return band.subarray(inBand * rowBytes, (inBand + 1) * rowBytes);
  };
}

async function planesOf(picture: Picture): Promise<SampledPlanes | undefined> {
  if (picture.layout === "yuv420") return { ...picture.planes, chroma: chromaSize(picture) };
  return picture.layout === "frame" ? planesOfFrame(picture) : undefined;
}

/** Copies the planes of a frame. */
async function planesOfFrame({ frame, width, height }: FramePicture): Promise<SampledPlanes> {
  const chroma = chromaSize({ width, height }, SUBSAMPLINGS.get(frame.format));
  const planes = newPlanes({ width, height }, chroma);
  const { luma, cb, cr } = planes;
  await frame.copyTo(luma.buffer, {
    layout: [
      { offset: luma.byteOffset, stride: width },
      { offset: cb.byteOffset, stride: chroma.width },
      { offset: cr.byteOffset, stride: chroma.width },
    ],
  });
  return { ...planes, chroma };
}
