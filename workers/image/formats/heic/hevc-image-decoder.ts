import decoderAddress from "../../../codecs/hevc/hevc-decoder.wasm?url";
import {
  type CodedPicture,
  HevcDecoder,
  readPicture,
  UnsupportedBitstream,
  type VideoSignal,
} from "../../../codecs/hevc/index.ts";
import { WasmInstanceCache } from "../../../wasm/instance-cache.ts";
import { supportsSimd } from "../../../wasm/simd-support.ts";
import { wasmModule } from "../../../wasm/wasm-module.ts";
import type { Orientation } from "../../metadata/exif.ts";
import { newPlanes, type Planes, pixelsOfPlanes } from "../../picture/planes.ts";
import { uprightPlanes, uprightSize } from "../../picture/upright.ts";
import { type CodedPiece, nalUnitsOf, type PictureCoding } from "./coding.ts";
import type { Raster } from "./raster.ts";

/** The matrices of BT.601, which JPEG uses (ITU-T H.273, table 4). */
const BT601 = [5, 6];

const decoders = new WasmInstanceCache(
  (module) => new HevcDecoder(module),
  (decoder) => decoder.memoryBytes,
);

/**
 * Opens the pieces of a picture for our own decoder, which supports what cameras and phones write.
 *
 * @param bytes the file
 * @returns a function that decodes a piece and rotates it. It returns `undefined` when the data of the piece is damaged,
 *   or when its coding differs from that of the first piece. No function when our decoder does not support the coding, or
 *   when the color space is not that of JPEG
 */
export async function pieceDecoder(
  bytes: Uint8Array<ArrayBuffer>,
  { pieces, color }: PictureCoding,
  orientation: Orientation,
  as: Raster["layout"],
): Promise<((piece: CodedPiece) => Raster | undefined) | undefined> {
  const [first] = pieces;
  if (!first || !supportsSimd()) return undefined;
  const stated = color && { isFullRange: color.fullRange, matrix: color.matrix };
  const read = (piece: CodedPiece) => unlessUnsupported(() => readLikeJpeg(bytes, piece, stated));
  if (read(first) === undefined) return undefined;
  const module = await wasmModule(decoderAddress);
  return (piece) => {
    const picture = read(piece);
    const decoded = picture && unlessUnsupported(() => decodeHevc(module, picture));
    if (!decoded) return undefined;
    const planes = uprightPlanes(decoded, picture.size, orientation);
    const size = uprightSize(picture.size, orientation);
    return as === "yuv420"
      ? { layout: as, ...size, planes }
      : { layout: as, ...size, pixels: pixelsOfPlanes(planes, size) };
  };
}

/** Returns what a function returns, or `undefined` for a bitstream that our decoder does not support. */
function unlessUnsupported<Result>(read: () => Result): Result | undefined {
  try {
    return read();
  } catch (thrown) {
    if (thrown instanceof UnsupportedBitstream) return undefined;
    throw thrown;
  }
}

/** Reads the headers of a piece, if its color space is that of JPEG. */
function readLikeJpeg(
  bytes: Uint8Array<ArrayBuffer>,
  piece: CodedPiece,
  stated: VideoSignal | undefined,
): CodedPicture | undefined {
  const picture = readPicture(nalUnitsOf(bytes, piece));
  const { width, height } = picture.size;
  const hasStatedSize = width === piece.width && height === piece.height;
  return hasStatedSize && isLikeJpeg(stated ?? picture.videoSignal) ? picture : undefined;
}

/**
 * Whether a signal has the color space of JPEG. Limited range is the default (ITU-T H.265, E.3.1). A missing matrix
 * counts as that of JPEG, as in libheif.
 */
function isLikeJpeg(signal: VideoSignal | undefined): boolean {
  if (signal?.isFullRange !== true) return false;
  return signal.matrix === undefined || BT601.includes(signal.matrix);
}

/**
 * Decodes a picture to its planes.
 *
 * @throws {UnsupportedBitstream} when its data is damaged
 */
function decodeHevc(module: WebAssembly.Module, picture: CodedPicture): Planes {
  const decoder = decoders.take(module);
  const planes = newPlanes(picture.size);
  try {
    decoder.decode(picture, planes);
  } catch (thrown) {
    // Damaged data made the decoder access memory out of bounds.
    if (thrown instanceof WebAssembly.RuntimeError)
      throw new UnsupportedBitstream("its decoder cannot decode it");
    throw thrown;
  }
  decoders.giveBack(decoder);
  return planes;
}
