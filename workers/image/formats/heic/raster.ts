import type { PixelValues } from "../../picture/picture.ts";
import { chromaSize, newPlanes, type Planes } from "../../picture/planes.ts";
import type { Size } from "../../picture/size.ts";

/** A decoded picture as red, green, blue and alpha, not premultiplied, in the colors of the file. */
export interface PixelRaster extends PixelValues {
  readonly layout: "rgba";
}

/** A decoded picture as planes, in the colors of the file. */
export interface PlaneRaster extends Size {
  readonly layout: "yuv420";
  readonly planes: Planes;
}

/** A decoded picture. */
export type Raster = PixelRaster | PlaneRaster;

/** Returns a raster of zeros. */
export function emptyRaster(layout: Raster["layout"], { width, height }: Size): Raster {
  return layout === "yuv420"
    ? { layout, width, height, planes: newPlanes({ width, height }) }
    : { layout, width, height, pixels: new Uint8ClampedArray(width * height * 4) };
}

/** Returns the buffers to transfer with a raster. */
export function buffersOf(raster: Raster): ArrayBuffer[] {
  return [...new Set(layersOf(raster).map(({ values }) => values.buffer))];
}

/** Copies a raster into another of its layout. Clips it at the edges. Planes need even offsets. */
export function paste(
  into: Raster,
  tile: Raster,
  { left, top }: { readonly left: number; readonly top: number },
): void {
  const layers = layersOf(into);
  for (const [index, layer] of layersOf(tile).entries()) {
    const below = layers[index];
    if (below !== undefined) pasteLayer(below, layer, left / layer.step, top / layer.step);
  }
}

interface Layer extends Size {
  readonly values: Uint8Array<ArrayBuffer> | Uint8ClampedArray<ArrayBuffer>;
  readonly valueBytes: number;
  /** The number of pixels per value, horizontally and vertically. */
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
