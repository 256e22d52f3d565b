import { concatBytes } from "../../io/concat-bytes.ts";
import { partOf } from "../../io/file-bytes.ts";
import type { Metadata } from "../metadata/metadata.ts";
import { type BoxPlace, boxesOf } from "./boxes.ts";
import { Cursor, damagedHeif } from "./cursor.ts";
import { type ItemLocation, lengthOfItem, type Meta, readMeta } from "./meta.ts";

/** The tables of a photo take some kilobytes. 64 MB hold those of the longest sequence. */
const LARGEST_TABLES = 64 * 2 ** 20;
/** No camera writes an item in as many extents. */
const MOST_EXTENTS = 1000;
/** Longer than the metadata of any camera. */
const LONGEST_METADATA = 16 * 2 ** 20;

/** The tables of a file (ISO/IEC 14496-12). */
interface Tables {
  /** The major brand: four characters. */
  readonly brand: string;
  /** The first `meta` box. Absent in an image sequence without a still picture. */
  readonly meta: Meta | undefined;
  /** Where the tables of an image sequence are, if there is no `meta` box. */
  readonly movie: BoxPlace | undefined;
}

const known = new WeakMap<Blob, Promise<Tables>>();

/**
 * Reads the tables of a file. The result is cached.
 *
 * @throws {ServiceError} `damaged_file`
 */
export function tablesOf(file: Blob): Promise<Tables> {
  const before = known.get(file);
  if (before !== undefined) return before;
  const tables = readTables(file);
  known.set(file, tables);
  return tables;
}

/**
 * Returns the data of an item.
 *
 * @param itemData the body of the `idat` box
 * @param longest the most bytes that are read
 * @returns no bytes for an item that is longer, or whose location is unknown
 */
export async function contentOfItem(
  file: Blob,
  location: ItemLocation | undefined,
  itemData: Uint8Array<ArrayBuffer>,
  longest: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const { within, extents } = location ?? { within: "item", extents: [] };
  if (within === "item" || lengthOfItem(location) > longest || extents.length > MOST_EXTENTS)
    return new Uint8Array();
  const parts = await Promise.all(
    extents.map(({ offset, length }) =>
      within === "idat" ? itemData.subarray(offset, offset + length) : partOf(file, offset, offset + length),
    ),
  );
  return concatBytes(parts);
}

/**
 * Reads the metadata of an image: the items that describe it (ISO/IEC 23008-12, A.2). Damaged metadata counts as
 * absent.
 *
 * @param item the image. The primary image by default.
 */
export async function heifMetadata(file: Blob, item?: number): Promise<Metadata> {
  const { meta } = await tablesOf(file);
  if (meta === undefined) return {};
  const { references, items, locations, itemData } = meta;
  const image = item ?? meta.primary ?? 0;
  const describing = references
    .filter(({ type, to }) => type === "cdsc" && to.includes(image))
    .map(({ from }) => from);
  const contents = (kind: string) =>
    Promise.all(
      describing
        .filter((id) => items.get(id)?.type === kind)
        .map((id) => contentOfItem(file, locations.get(id), itemData, LONGEST_METADATA)),
    );
  const [exif] = (await contents("Exif")).map(tiffOf);
  const xmp = (await contents("mime")).find(isXmp);
  const isTooLong = describing.some((id) => lengthOfItem(locations.get(id)) > LONGEST_METADATA) || undefined;
  return { exif, xmp, isTooLong };
}

/** The item begins with the offset of its TIFF header, counted from the end of that number. */
function tiffOf(content: Uint8Array<ArrayBuffer>): Uint8Array | undefined {
  if (content.length < 4) return undefined;
  const start = 4 + new DataView(content.buffer, content.byteOffset).getUint32(0);
  const tiff = content.subarray(start);
  return tiff.length > 8 ? tiff : undefined;
}

function isXmp(content: Uint8Array): boolean {
  return new TextDecoder().decode(content.subarray(0, 256)).includes("<x:xmpmeta");
}

async function readTables(file: Blob): Promise<Tables> {
  let brand: string | undefined;
  let movie: BoxPlace | undefined;
  for await (const place of boxesOf(file)) {
    if (brand === undefined) {
      if (place.type !== "ftyp") throw damagedHeif("it does not start as one");
      brand = (await cursorAt(file, place)).fourCC();
    } else if (place.type === "meta") {
      return { brand, meta: readMeta(await cursorAt(file, place)), movie };
    } else if (place.type === "moov") movie ??= place;
  }
  return { brand: brand ?? "", meta: undefined, movie };
}

/** Returns a cursor over the body of a box of tables. */
export async function cursorAt(file: Blob, { start, end }: BoxPlace): Promise<Cursor> {
  if (end - start > LARGEST_TABLES) throw damagedHeif("its tables are larger than any file's");
  return new Cursor(await partOf(file, start, end), start);
}
