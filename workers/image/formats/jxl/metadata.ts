import { ServiceError } from "../../../../src/shared/errors.ts";
import { partOf } from "../../../io/file-bytes.ts";
import type { BoxPlace } from "../../isobmff/boxes.ts";
import type { Metadata } from "../../metadata/metadata.ts";
import { boxesOfJxl } from "./read-jxl.ts";

/** Longer than the metadata of any camera. */
const LONGEST_METADATA = 16 * 2 ** 20;
/** A box whose body Brotli compresses. The body begins with the type of the compressed box. */
const COMPRESSED = "brob";
const TYPE_BYTES = 4;

/**
 * Reads EXIF and XMP (ISO/IEC 18181-2). The first box of each kind counts.
 *
 * @throws {ServiceError} `invalid_parameter` for compressed metadata, because browsers have no decoder of Brotli for scripts
 */
export async function readJxlMetadata(file: Blob): Promise<Metadata> {
  const boxes = await boxesOfJxl(file);
  for (const { type, start } of boxes) {
    if (type === COMPRESSED && isMetadata(textOf(await partOf(file, start, start + TYPE_BYTES))))
      throw isCompressed();
  }
  const [exif, xmp] = ["Exif", "xml "].map((kind) => boxes.find(({ type }) => type === kind));
  const isTooLong = [exif, xmp].some((box) => box && box.end - box.start > LONGEST_METADATA);
  if (isTooLong) return { isTooLong };
  const contentOf = (box: BoxPlace | undefined) => box && partOf(file, box.start, box.end);
  return { exif: tiffOf(await contentOf(exif)), xmp: await contentOf(xmp) };
}

const isMetadata = (type: string) => type === "Exif" || type === "xml ";

const textOf = (bytes: Uint8Array) => String.fromCharCode(...bytes);

/** The box begins with the offset of its TIFF header, counted from the end of that number. */
function tiffOf(content: Uint8Array<ArrayBuffer> | undefined): Uint8Array | undefined {
  if (content === undefined || content.length < 4) return undefined;
  const tiff = content.subarray(4 + new DataView(content.buffer, content.byteOffset).getUint32(0));
  return tiff.length > 8 ? tiff : undefined;
}

function isCompressed(): ServiceError {
  return new ServiceError(
    "invalid_parameter",
    "The metadata of this JPEG XL image is compressed and cannot be kept. Convert the image without its metadata.",
    { parameter: "keep_metadata" },
  );
}
