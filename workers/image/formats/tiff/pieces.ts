import type { Size } from "../../picture/size.ts";
import { damagedTiff, TAG } from "./directories.ts";
import type { TiffImage } from "./read-tiff.ts";
import { COMPRESSION } from "./sample-layout.ts";

/** A strip or a tile of an image, and the part of it that is inside the image. */
export interface Piece extends Size {
  readonly left: number;
  readonly top: number;
  /** Its coded data: all samples, or one of each plane. */
  readonly data: readonly Uint8Array<ArrayBuffer>[];
}

/**
 * Returns the strips or tiles of an image, row by row from the top.
 *
 * @throws {ServiceError} `damaged_file` when one of them is missing, or beyond the end of the file
 */
export function* piecesOf(image: TiffImage): Generator<Piece> {
  const { directory, width, height, piece, isTiled, isPlanar, samples, compression } = image;
  const across = Math.ceil(width / piece.width);
  const count = across * Math.ceil(height / piece.height);
  const planes = isPlanar ? samples : 1;
  // Some old programs use the tags of strips for tiles, too.
  const hasTileTags = isTiled && directory.has(TAG.TileOffsets);
  const offsets = directory.numbers(hasTileTags ? TAG.TileOffsets : TAG.StripOffsets, count * planes);
  const lengths = directory.numbers(hasTileTags ? TAG.TileByteCounts : TAG.StripByteCounts, count * planes);
  const { file } = directory;
  if (offsets.length < count * planes) throw damagedTiff("a part of an image is missing");
  for (let index = 0; index < count; index++) {
    const data = Array.from({ length: planes }, (_, plane) => {
      const start = offsets[plane * count + index] ?? 0;
      const most = Math.max(0, file.bytes.length - start);
      // Old programs write no length of the only strip, and some a wrong one of uncompressed strips.
      const length = lengths[plane * count + index] ?? most;
      return file.range(start, compression === COMPRESSION.none ? Math.min(length, most) : length);
    });
    const left = (index % across) * piece.width;
    const top = Math.floor(index / across) * piece.height;
    yield {
      ...{ left, top, data },
      width: Math.min(piece.width, width - left),
      height: Math.min(piece.height, height - top),
    };
  }
}
