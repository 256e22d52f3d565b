import { type BytePart, BytePartList } from "../../../io/byte-ranges.ts";
import type { StoredImage } from "../codec.ts";
import { wholeJpeg } from "./jpeg.ts";
import { piecesOf } from "./pieces.ts";
import type { TiffImage } from "./read-tiff.ts";
import { COMPRESSION, isFax, PHOTOMETRIC } from "./sample-layout.ts";
import { faxCodingOf, withReversedBits } from "./unpack.ts";

/** Readers draw each strip as an image of its own. An image of more strips is decoded. */
const MOST_STRIPS = 600;
/** `K` of ISO 32000-2, 7.4.6. */
const K = { "T.6": -1, "T.4": 0, "rows of bytes": 0, "T.4 two-dimensional": 1 } as const;

/** Whether PDF can hold the coded data of an image. */
export function mayBeStored({ compression, unsupported, isTiled, piece, height }: TiffImage): boolean {
  const isOnePiece = piece.height >= height;
  const isCopied = isFax(compression) || (compression === COMPRESSION.jpeg && isOnePiece);
  return isCopied && !isTiled && unsupported === undefined && Math.ceil(height / piece.height) <= MOST_STRIPS;
}

/**
 * Returns the coded data of an image as PDF can hold it.
 *
 * @throws {ServiceError} `damaged_file` when a part of it is missing
 */
export function storedImage(image: TiffImage): StoredImage {
  const { orientation, directory } = image;
  const strips = [...piecesOf(image)].map(({ height, data: [bytes = new Uint8Array()] }) => ({
    height,
    bytes,
  }));
  const [first] = strips;
  if (first !== undefined && image.compression === COMPRESSION.jpeg)
    return { kind: "jpeg", orientation, bytes: wholeJpeg(first.bytes, image) };
  const file = directory.file.bytes;
  const partsOf = (bytes: Uint8Array): readonly BytePart[] => {
    const parts = new BytePartList();
    if (image.isReversed) parts.bytes(withReversedBits(bytes));
    else parts.range(bytes.byteOffset - file.byteOffset, bytes.byteOffset - file.byteOffset + bytes.length);
    return parts.all;
  };
  const coding = faxCodingOf(image);
  return {
    ...{ kind: "fax", orientation, k: K[coding], isByteAligned: coding === "rows of bytes" },
    // A fax says which runs are black. An image may say that black is 1, so that they are white.
    blackIs1: image.photometric === PHOTOMETRIC.blackIsZero,
    strips: strips.map(({ height, bytes }) => ({ height, data: partsOf(bytes) })),
  };
}
