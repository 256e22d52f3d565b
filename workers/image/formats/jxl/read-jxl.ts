import { ServiceError } from "../../../../src/shared/errors.ts";
import { concatBytes } from "../../../io/concat-bytes.ts";
import { partOf } from "../../../io/file-bytes.ts";
import { type BoxPlace, boxesOf } from "../../isobmff/boxes.ts";
import { damagedJxl } from "./bit-reader.ts";
import { type ImageHeader, readImageHeader } from "./image-header.ts";

/** The first bytes of a codestream without a container. */
const CODESTREAM = [0xff, 0x0a];
/** The image header takes some bytes; with names of extra channels, some hundred. */
const HEADER_BYTES = 64 * 1024;
/** A box of a part of a codestream begins with the number of the part. */
const PART_NUMBER_BYTES = 4;

/**
 * Reads the image header of a codestream, or of a container (ISO/IEC 18181-2).
 *
 * @throws {ServiceError} `damaged_file`
 */
export async function readJxl(file: Blob): Promise<ImageHeader> {
  const header: Uint8Array<ArrayBuffer>[] = [];
  let missing = HEADER_BYTES;
  for (const { start, end } of await codestreamOf(file)) {
    if (missing === 0) break;
    const part = await partOf(file, start, Math.min(end, start + missing));
    header.push(part);
    missing -= part.length;
  }
  const bytes = concatBytes(header);
  if (!CODESTREAM.every((byte, index) => bytes[index] === byte)) throw damagedJxl("it holds no picture");
  return readImageHeader(bytes);
}

/** Returns the parts of the codestream, in order. */
async function codestreamOf(file: Blob): Promise<readonly Pick<BoxPlace, "start" | "end">[]> {
  const [first] = await partOf(file, 0, 1);
  if (first === CODESTREAM[0]) return [{ start: 0, end: file.size }];
  return (await boxesOfJxl(file))
    .filter(({ type }) => type === "jxlc" || type === "jxlp")
    .map(({ type, start, end }) => ({ start: type === "jxlp" ? start + PART_NUMBER_BYTES : start, end }));
}

/** Returns the boxes of a container. A codestream has none. */
export async function boxesOfJxl(file: Blob): Promise<readonly BoxPlace[]> {
  const [first] = await partOf(file, 0, 1);
  if (first === CODESTREAM[0]) return [];
  const boxes: BoxPlace[] = [];
  try {
    for await (const box of boxesOf(file)) boxes.push(box);
  } catch (thrown) {
    // The errors of the box reader name HEIC, which has the same boxes.
    throw thrown instanceof ServiceError ? damagedJxl("its boxes make no sense") : thrown;
  }
  return boxes;
}
