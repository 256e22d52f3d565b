import { UnsupportedBitstream } from "../../../codecs/hevc/index.ts";
import type { CodedColor } from "../../color/color.ts";
import type { Item, ItemLocation, Meta } from "../../isobmff/meta.ts";
import type { CodingRecord } from "../../isobmff/properties.ts";
import { contentOfItem } from "../../isobmff/read.ts";
import type { Size } from "../../picture/size.ts";

/** The coding of a picture that consists of one HEVC image or of a grid of them. */
export interface PictureCoding {
  /** The picture itself, or its tiles, row by row. */
  readonly tiles: readonly CodedTile[];
  /** Where the file describes the grid; absent for a single tile. */
  readonly grid: GridDescription | undefined;
  /** The code points of the color space, if the file states them. */
  readonly color: CodedColor | undefined;
}

/** Where a file describes a grid of tiles (ISO/IEC 23008-12, 6.6.2.3). */
export interface GridDescription {
  readonly location: ItemLocation | undefined;
  /** The body of the `idat` box. */
  readonly itemData: Uint8Array<ArrayBuffer>;
}

/** An item that is one HEVC image. */
export interface CodedTile extends Size {
  readonly record: CodingRecord;
  readonly location: ItemLocation;
}

const CODED = "hvc1";
/** Far more than cameras write. A file of some megabytes can hold more NAL units than fit into memory. */
const MAX_NAL_UNITS = 2000;
const NAL_HEADER_BYTES = 2;
/** The data of a tile is outside the `idat` box. */
const NO_ITEM_DATA = new Uint8Array();

/**
 * Returns how an item is coded.
 *
 * @returns `undefined` when its tiles differ in size, or when one of them has an essential property that is unknown
 *   here
 */
export function codingOf({ id, type }: Item, meta: Meta): PictureCoding | undefined {
  const isGrid = type === "grid";
  const parts = isGrid ? (meta.parts.get(id) ?? []) : [id];
  if ([id, ...parts].some((one) => meta.withUnknownEssential.has(one))) return undefined;
  const tiles = parts.flatMap((part) => tileOf(part, meta) ?? []);
  const [first] = tiles;
  if (!first || tiles.length < parts.length) return undefined;
  if (tiles.some(({ width, height }) => width !== first.width || height !== first.height)) return undefined;
  // Transforms and transparency of single tiles are left to libheif.
  if (isGrid && parts.some((part) => isChanged(part, meta))) return undefined;
  const grid = isGrid ? { location: meta.locations.get(id), itemData: meta.itemData } : undefined;
  return { tiles, grid, color: codePointsOf(id, meta) ?? codePointsOf(parts[0], meta) };
}

function tileOf(id: number, { items, properties, locations }: Meta): CodedTile | undefined {
  const location = locations.get(id);
  const described = properties.get(id) ?? [];
  const size = described.find((property) => property.kind === "size");
  const coding = described.find((property) => property.kind === "coding");
  if (items.get(id)?.type !== CODED || !size || !coding || location?.within !== "file") return undefined;
  return { width: size.width, height: size.height, record: coding.record, location };
}

function isChanged(id: number, { properties, withAlpha }: Meta): boolean {
  return withAlpha.has(id) || properties.get(id)?.some(({ kind }) => kind === "transform") === true;
}

function codePointsOf(id: number | undefined, { properties }: Meta): CodedColor | undefined {
  for (const property of properties.get(id ?? 0) ?? [])
    if (property.kind === "color" && property.color.kind === "nclx") return property.color;
  return undefined;
}

/**
 * Reads the NAL units of a tile (ITU-T H.265, 7.3.1): its parameter sets, then those of its data. In the data, each NAL
 * unit follows its length (ISO/IEC 14496-15).
 *
 * @throws {UnsupportedBitstream} if the data is cut off, or if there are more NAL units than any camera writes
 */
export async function nalUnitsOf(
  file: Blob,
  { record, location }: CodedTile,
): Promise<readonly Uint8Array[]> {
  const nalUnits = [...record.nalUnits];
  const data = await contentOfItem(file, location, NO_ITEM_DATA, file.size);
  for (let at = 0; at < data.length; ) {
    let nalUnitBytes = 0;
    for (let index = 0; index < record.lengthBytes; index++)
      nalUnitBytes = nalUnitBytes * 256 + (data[at++] ?? 0);
    if (nalUnitBytes > data.length - at || nalUnitBytes < NAL_HEADER_BYTES)
      throw new UnsupportedBitstream("its data is cut off");
    if (nalUnits.length >= MAX_NAL_UNITS) throw new UnsupportedBitstream("there are too many NAL units");
    nalUnits.push(data.subarray(at, at + nalUnitBytes));
    at += nalUnitBytes;
  }
  return nalUnits;
}
