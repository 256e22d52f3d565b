import { bytesOf } from "../file-bytes.ts";
import { type OpenHeif, type Raster, type TilePlace, withLibheif } from "./libheif.ts";
import type { Colour } from "./properties.ts";
import { type PixelChange, toSrgb } from "./to-srgb.ts";

/** Whose tiles are wanted, and how. */
export interface TileRequest {
  readonly file: Blob;
  readonly item: number;
  /** The colour to convert from; absent when values stay as they are. */
  readonly convertFrom: Colour | undefined;
}

/** What a helper answers to each place: without a tile when it cannot be decoded. */
export interface TileAnswer {
  readonly tile: Raster | undefined;
}

/**
 * Decodes tiles for another worker, which sends the places over the port, and `null` when it needs no more. Here
 * failures are only noted: the other worker will see them for itself, and say why.
 */
export async function helpWithTiles(request: TileRequest, port: MessagePort): Promise<void> {
  const change = toSrgb(request.convertFrom);
  try {
    await withLibheif(await bytesOf(request.file), (heif) => answerAll(heif, request.item, change, port));
  } finally {
    port.close();
  }
}

function answerAll(heif: OpenHeif, item: number, change: PixelChange, port: MessagePort): Promise<void> {
  return new Promise((resolve, reject) => {
    port.onmessage = ({ data: place }: MessageEvent<TilePlace | null>) => {
      if (place === null) {
        resolve();
        return;
      }
      try {
        const tile = heif.decodeTile(item, place);
        change(tile.pixels);
        port.postMessage({ tile } satisfies TileAnswer, [tile.pixels.buffer]);
      } catch (thrown) {
        port.postMessage({ tile: undefined } satisfies TileAnswer);
        reject(thrown);
      }
    };
  });
}
