import decoderAddress from "../../../codecs/hevc/hevc-decoder.wasm?url";
import {
  type CodedPicture,
  HevcDecoder,
  readPicture,
  UnsupportedBitstream,
  type VideoSignal,
} from "../../../codecs/hevc/index.ts";
import { hasGivenUp } from "../../../wasm/emscripten-module.ts";
import { wasmModule } from "../../../wasm/wasm-module.ts";
import type { Orientation } from "../../metadata/exif.ts";
import type { PlanePicture } from "../../picture/picture.ts";
import { newPlanes, type Planes } from "../../picture/planes.ts";
import { uprightPlanes, uprightSize } from "../../picture/upright.ts";
import { type CodedTile, nalUnitsOf, type PictureCoding } from "./coding.ts";

/** What a worker needs to decode the tiles of a picture. */
export interface TileRequest extends Pick<PictureCoding, "tiles" | "color"> {
  /** Only the ranges of the tiles are read. */
  readonly file: Blob;
  readonly orientation: Orientation;
}

/** The matrices of BT.601, which JPEG uses (ITU-T H.273, table 4). */
const BT601 = [5, 6];

/** One decoder for the tiles of a picture. Another picture gets another one, whose memory has nothing of this one. */
const decoders = new WeakMap<TileRequest, HevcDecoder>();

/**
 * Decodes a tile with our own decoder, and rotates it.
 *
 * @param index the number of the tile in file order
 * @returns `undefined` when only libheif can decode it: when its data is damaged or coded in another way than phones do,
 *   or when its color space is not that of JPEG
 */
export async function decodeTile(request: TileRequest, index: number): Promise<PlanePicture | undefined> {
  const { file, tiles, color, orientation } = request;
  const tile = tiles[index];
  if (tile === undefined) return undefined;
  try {
    const coded = readPicture(await nalUnitsOf(file, tile));
    const signal = color && { isFullRange: color.fullRange, matrix: color.matrix };
    if (!hasStatedSize(coded, tile) || !isLikeJpeg(signal ?? coded.videoSignal)) return undefined;
    const planes = decodeHevc(request, await wasmModule(decoderAddress), coded);
    return {
      ...{ layout: "yuv420", hasAlpha: false, ...uprightSize(coded.size, orientation) },
      planes: uprightPlanes(planes, coded.size, orientation),
    };
  } catch (thrown) {
    if (thrown instanceof UnsupportedBitstream) return undefined;
    throw thrown;
  }
}

function hasStatedSize({ size }: CodedPicture, { width, height }: CodedTile): boolean {
  return size.width === width && size.height === height;
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
function decodeHevc(request: TileRequest, module: WebAssembly.Module, picture: CodedPicture): Planes {
  const decoder = decoders.get(request) ?? new HevcDecoder(module);
  // It is kept only if it succeeds: otherwise, its state is unknown.
  decoders.delete(request);
  const planes = newPlanes(picture.size);
  try {
    decoder.decode(picture, planes);
  } catch (thrown) {
    // Damaged data made the decoder access memory out of bounds.
    if (hasGivenUp(thrown)) throw new UnsupportedBitstream("its decoder cannot decode it");
    throw thrown;
  }
  decoders.set(request, decoder);
  return planes;
}
