import { bytesOf } from "../../../io/file-bytes.ts";
import { damagedHeif } from "../../isobmff/cursor.ts";
import { cursorAt, tablesOf } from "../../isobmff/read.ts";
import { type ListedImage, listImages } from "./images.ts";
import { coverOfSequence } from "./sequence.ts";

/** The largest file that is read as a whole. This takes less time than reading several parts. */
const LARGEST_READ_WHOLE = 16 * 2 ** 20;

/**
 * Lists the pictures of a HEIF file (ISO/IEC 23008-12). Reads the tables of a long file only.
 *
 * @throws {ServiceError} when no picture can be read: `damaged_file`; `unsupported_input` when all are in other
 *   codecs; `input_too_large` when there are thousands
 */
export async function readHeif(file: Blob): Promise<readonly ListedImage[]> {
  if (file.size <= LARGEST_READ_WHOLE) await bytesOf(file);
  const { meta, movie } = await tablesOf(file);
  if (meta !== undefined) return listImages(meta);
  if (movie === undefined) throw damagedHeif("the tables that say what it holds are missing");
  return [coverOfSequence(await cursorAt(file, movie))];
}
