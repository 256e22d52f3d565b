import { chromaSize, emptyPlanes, type Planes } from "../../picture/planes.ts";
import type { RowProgress } from "../../picture/row-progress.ts";
import type { Size } from "../../picture/size.ts";

/** A decoded picture: red, green, blue and alpha of each pixel in the colors of the file, not premultiplied. */
export interface PixelRaster extends Size {
  readonly layout: "rgba";
  readonly pixels: Uint8ClampedArray<ArrayBuffer>;
}

/** A decoded picture with its values as they are coded, in the colors of the file. */
export interface PlaneRaster extends Size {
  readonly layout: "yuv420";
  readonly planes: Planes;
  /** By what its rows come, where they need not all be there yet. */
  readonly arrival?: RowProgress;
}

/** A decoded picture. */
export type Raster = PixelRaster | PlaneRaster;

/** A raster of nothing: in planes, which know no transparency, of black. */
export function emptyRaster(layout: Raster["layout"], { width, height }: Size): Raster {
  return layout === "yuv420"
    ? { layout, width, height, planes: emptyPlanes({ width, height }) }
    : { layout, width, height, pixels: new Uint8ClampedArray(width * height * 4) };
}

/** What is to be handed over with a raster. */
export function buffersOf(raster: Raster): ArrayBuffer[] {
  return [...new Set(layersOf(raster).map(({ values }) => values.buffer))];
}

/** Puts a raster into another of its kind, cut off where it stands over; planes at even places only. */
export function paste(into: Raster, tile: Raster, left: number, top: number): void {
  const layers = layersOf(into);
  for (const [index, layer] of layersOf(tile).entries()) {
    const below = layers[index];
    if (below !== undefined) pasteLayer(below, layer, left / layer.step, top / layer.step);
  }
}

interface Layer extends Size {
  readonly values: Uint8Array<ArrayBuffer> | Uint8ClampedArray<ArrayBuffer>;
  readonly valueBytes: number;
  /** Of how many pixels there is one value, across and down. */
  readonly step: 1 | 2;
}

function layersOf(raster: Raster): readonly Layer[] {
  const { width, height } = raster;
  if (raster.layout === "rgba") return [{ width, height, values: raster.pixels, valueBytes: 4, step: 1 }];
  const { luma, cb, cr } = raster.planes;
  const chroma = { ...chromaSize(raster), valueBytes: 1, step: 2 } as const;
  return [
    { width, height, values: luma, valueBytes: 1, step: 1 },
    { ...chroma, values: cb },
    { ...chroma, values: cr },
  ];
}

function pasteLayer(
  into: Layer,
  { width, height, values, valueBytes }: Layer,
  left: number,
  top: number,
): void {
  const skipped = Math.max(0, -left);
  const shown = Math.min(width, into.width - left) - skipped;
  if (shown <= 0) return;
  for (let y = Math.max(0, -top); y < height && top + y < into.height; y++) {
    const from = (y * width + skipped) * valueBytes;
    const to = ((top + y) * into.width + left + skipped) * valueBytes;
    into.values.set(values.subarray(from, from + shown * valueBytes), to);
  }
}
