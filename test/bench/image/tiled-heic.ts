import { readFileSync, writeFileSync } from "node:fs";
import { boxesIn } from "../../../workers/image/isobmff/boxes.ts";
import { Cursor } from "../../../workers/image/isobmff/cursor.ts";
import { readMeta } from "../../../workers/image/isobmff/meta.ts";
import { box, type ItemPlan, ispe, join, makeHeif, u8, u16 } from "../../fixtures/heif.ts";
import type { Scratch } from "../../native/tools.ts";
import { mustRun } from "./must-run.ts";

/** As telephones cut their photos. */
const TILE = 512;
const FIRST_TILE_ID = 1;
/** How libheif's own encoder is to encode: quality, and x265's speed. */
export const HEIF_SETTINGS = ["-q", "60", "-p", "preset=ultrafast"] as const;

interface Size {
  readonly width: number;
  readonly height: number;
}

/**
 * Writes a picture as a HEIC of tiles, as telephones do. libheif's own encoder has it write one large image only, but
 * also as many images as there are tiles; these are put under a grid here.
 */
export async function writeTiledHeic(
  photo: string,
  { width, height }: Size,
  path: string,
  scratch: Scratch,
): Promise<void> {
  const [columns, rows] = [Math.ceil(width / TILE), Math.ceil(height / TILE)];
  const [padded, tiles, images] = ["padded.v", "tiles", "tiles.heic"].map((name) => scratch.path(name));
  if (!padded || !tiles || !images) throw new Error("there are three");
  const [fullWidth, fullHeight] = [columns * TILE, rows * TILE];
  await mustRun("vips", [
    "embed",
    photo,
    padded,
    "0",
    "0",
    `${fullWidth}`,
    `${fullHeight}`,
    "--extend",
    "copy",
  ]);
  const cut = ["--tile-size", `${TILE}`, "--overlap", "0", "--depth", "one", "--suffix", ".png"];
  await mustRun("vips", ["dzsave", padded, tiles, ...cut]);
  const places = Array.from({ length: rows * columns }, (_, at) => [at % columns, Math.floor(at / columns)]);
  const files = places.map(([column, row]) => `${tiles}_files/0/${column}_${row}.png`);
  await mustRun("heif-enc", [...HEIF_SETTINGS, "-o", images, ...files]);
  const grid = { columns, side: TILE, repeats: 1 };
  writeFileSync(path, gridOf(new Uint8Array(readFileSync(images)), grid, { width, height }));
}

interface Grid {
  readonly columns: number;
  /** Of a tile. */
  readonly side: number;
  /** How often all of the images come, one after the other. */
  readonly repeats: number;
}

/** The images of a HEIC as the tiles of one. */
export function gridOf(bytes: Uint8Array<ArrayBuffer>, grid: Grid, size: Size): Uint8Array<ArrayBuffer> {
  return gridOfImages(imagesOf(bytes), grid, size);
}

/**
 * Coded images as the tiles of one.
 *
 * @param turns what turns and mirrors it
 */
export function gridOfImages(
  { coding, pictures }: CodedImages,
  { columns, side, repeats }: Grid,
  { width, height }: Size,
  turns: readonly Uint8Array<ArrayBuffer>[] = [],
): Uint8Array<ArrayBuffer> {
  const properties = [coding, ispe(side, side)];
  const tiles = Array.from({ length: repeats }, () => pictures)
    .flat()
    .map<ItemPlan>((data, index) => {
      return { id: FIRST_TILE_ID + index, type: "hvc1", hidden: true, properties, data };
    });
  const id = FIRST_TILE_ID + tiles.length;
  // Version, whether sides are long, how many tiles down and across, less one, and what is shown.
  const data = join(u8(0), u8(0), u8(tiles.length / columns - 1), u8(columns - 1), u16(width), u16(height));
  const grid: ItemPlan = { id, type: "grid", properties: [ispe(width, height), ...turns], data };
  return makeHeif({
    primary: id,
    // Its properties come first: the numbers of properties are small.
    items: [grid, ...tiles],
    references: [{ type: "dimg", from: id, to: tiles.map((tile) => tile.id) }],
  });
}

/** Coded pictures. */
export interface CodedImages {
  /** The box that says how all of them are coded. */
  readonly coding: Uint8Array<ArrayBuffer>;
  readonly pictures: readonly Uint8Array<ArrayBuffer>[];
}

/** The pictures of a HEIC that are all coded in one way. */
export function imagesOf(bytes: Uint8Array<ArrayBuffer>): CodedImages {
  const meta = bodyOf(new Cursor(bytes, 0), "meta");
  const { items, locations } = readMeta(new Cursor(meta, 0));
  const pictures = [...items.values()].flatMap(({ id, type }) => {
    const extents = type === "hvc1" ? (locations.get(id)?.extents ?? []) : [];
    return extents.map(({ offset, length }) => bytes.slice(offset, offset + length));
  });
  // Before its boxes, a version.
  const properties = bodyOf(new Cursor(bodyOf(new Cursor(meta.subarray(4), 0), "iprp"), 0), "ipco");
  const codings = [...boxesIn(new Cursor(properties, 0))].flatMap(({ type, body }) =>
    type === "hvcC" ? [Buffer.from(body.bytes(body.left))] : [],
  );
  const [first, ...others] = codings;
  if (first === undefined || others.some((other) => !other.equals(first)))
    throw new Error("the images are not all coded in one way");
  return { coding: box("hvcC", first), pictures };
}

/** What the first box of that type holds. */
function bodyOf(boxes: Cursor, type: string): Uint8Array<ArrayBuffer> {
  for (const { type: name, body } of boxesIn(boxes)) if (name === type) return body.bytes(body.left);
  throw new Error(`the file has no ${type}`);
}
