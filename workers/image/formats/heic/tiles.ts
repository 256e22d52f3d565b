import type { Helper } from "../../../parallel/helper.ts";
import { mapOrdered } from "../../../parallel/map-tasks.ts";
import { TaskQueue } from "../../../parallel/task-queue.ts";
import { taskServer } from "../../../parallel/task-server.ts";
import type { PlanePicture } from "../../picture/picture.ts";
import { chromaSize, newPlanes } from "../../picture/planes.ts";
import type { Size } from "../../picture/size.ts";
import { decodeTile, type TileRequest } from "./decode-tile.ts";

type Tile = PlanePicture | undefined;

/** A worker that decodes tiles for this worker. */
export type TileHelper = Helper<number, Tile>;

/** The place of the top left corner of a tile in the picture as shown. Even, but maybe outside the picture. */
export interface TilePlace {
  readonly left: number;
  readonly top: number;
}

/** How the tiles of a picture become one picture. */
interface TileWork {
  readonly count: number;
  /** The size of the picture as shown. */
  readonly shown: Size;
  placeOf(index: number): TilePlace;
  decode(index: number): Promise<Tile>;
  /** Released at the end. */
  readonly helpers: readonly TileHelper[];
}

/**
 * Decodes the tiles of a picture in this worker and in helpers, and puts them together.
 *
 * @returns `undefined` when our decoder cannot decode one of them
 */
export async function decodeTiles({ count, shown, placeOf, decode, helpers }: TileWork): Promise<Tile> {
  let picture: PlanePicture | undefined;
  const queue = new TaskQueue({ work: decode, helpers });
  try {
    for await (const [index, tile] of mapOrdered(queue, [...Array(count).keys()])) {
      if (tile === undefined) return undefined;
      picture ??= emptyPicture(shown);
      paste(picture, tile, placeOf(index));
    }
    return picture;
  } finally {
    await queue.close();
  }
}

/** Decodes tiles for another worker. A tile that cannot be decoded here is left to that worker. */
export async function serveTiles(request: TileRequest, port: MessagePort): Promise<void> {
  try {
    await taskServer<number, Tile>(
      port,
      (index) => decodeTile(request, index),
      // One buffer holds all planes.
      (tile) => (tile ? [tile.planes.luma.buffer] : []),
    );
  } finally {
    port.close();
  }
}

function emptyPicture({ width, height }: Size): PlanePicture {
  return { layout: "yuv420", width, height, planes: newPlanes({ width, height }), hasAlpha: false };
}

/** Copies a tile into a picture. Clips it at the edges. */
function paste(into: PlanePicture, tile: PlanePicture, { left, top }: TilePlace): void {
  const [target, source] = [chromaSize(into), chromaSize(tile)];
  const chromaPlace = { left: left / 2, top: top / 2 };
  pastePlane({ ...into, values: into.planes.luma }, { ...tile, values: tile.planes.luma }, { left, top });
  for (const plane of ["cb", "cr"] as const)
    pastePlane(
      { ...target, values: into.planes[plane] },
      { ...source, values: tile.planes[plane] },
      chromaPlace,
    );
}

interface Plane extends Size {
  readonly values: Uint8Array<ArrayBuffer>;
}

function pastePlane(into: Plane, { width, height, values }: Plane, { left, top }: TilePlace): void {
  const skipped = Math.max(0, -left);
  const shown = Math.min(width, into.width - left) - skipped;
  if (shown <= 0) return;
  for (let y = Math.max(0, -top); y < height && top + y < into.height; y++) {
    const from = y * width + skipped;
    into.values.set(values.subarray(from, from + shown), (top + y) * into.width + left + skipped);
  }
}
