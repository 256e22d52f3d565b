import { bytesOf, partOf } from "../../io/file-bytes.ts";
import { type BoxPlace, boxesOf } from "./boxes.ts";
import { Cursor, damagedHeif } from "./cursor.ts";
import { type ListedImage, listImages } from "./images.ts";
import { type Meta, readMeta } from "./meta.ts";
import { coverOfSequence } from "./sequence.ts";

/** The tables of a photo take some kilobytes. 64 MB hold those of the longest sequence. */
export const LARGEST_TABLES = 64 * 2 ** 20;
/** The largest file that is read as a whole. This takes less time than reading several parts. */
const LARGEST_READ_WHOLE = 16 * 2 ** 20;

const listed = new WeakMap<Blob, Promise<readonly ListedImage[]>>();
const tablesRead = new WeakMap<Blob, Promise<Meta>>();

/**
 * Lists the pictures of a HEIF file (ISO/IEC 23008-12). Reads the tables of a long file only. The result is cached.
 *
 * @throws {ServiceError} when no picture can be read: `damaged_file`; `unsupported_input` when all are in other
 *   codecs; `input_too_large` when there are thousands
 */
export function readHeif(file: Blob): Promise<readonly ListedImage[]> {
  return once(listed, file, () => list(file));
}

/**
 * Reads the first `meta` box of a file. The result is cached.
 *
 * @param place where the box is
 * @throws {ServiceError} `damaged_file`
 */
export function metaAt(file: Blob, place: BoxPlace): Promise<Meta> {
  return once(tablesRead, file, async () => readMeta(await tables(file, place)));
}

async function list(file: Blob): Promise<readonly ListedImage[]> {
  if (file.size <= LARGEST_READ_WHOLE) await bytesOf(file);
  let begun = false;
  let movie: BoxPlace | undefined;
  for await (const place of boxesOf(file)) {
    if (!begun && place.type !== "ftyp") throw damagedHeif("it does not start as one");
    begun = true;
    if (place.type === "meta") return listImages(await metaAt(file, place));
    if (place.type === "moov") movie ??= place;
  }
  if (!movie) throw damagedHeif("the tables that say what it holds are missing");
  return [coverOfSequence(await tables(file, movie))];
}

async function tables(file: Blob, { start, end }: BoxPlace): Promise<Cursor> {
  if (end - start > LARGEST_TABLES) throw damagedHeif("its tables are larger than any file's");
  return new Cursor(await partOf(file, start, end), start);
}

function once<Value>(
  known: WeakMap<Blob, Promise<Value>>,
  file: Blob,
  read: () => Promise<Value>,
): Promise<Value> {
  const before = known.get(file);
  if (before !== undefined) return before;
  const value = read();
  known.set(file, value);
  return value;
}
