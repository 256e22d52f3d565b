import { partOf } from "../../../io/file-bytes.ts";
import { Cursor, damagedHeif } from "../../isobmff/cursor.ts";
import type { Composition } from "../../isobmff/images.ts";
import type { Size } from "../../picture/size.ts";
import type { OpenHeif } from "./libheif.ts";
import type { PixelRaster } from "./raster.ts";

/** Where a part goes, and which. */
interface Part {
  readonly item: number;
  readonly left: number;
  readonly top: number;
}

/** A canvas, and what comes onto it, one part over the other. */
export interface Layout extends Size {
  /** Red, green, blue and alpha of the canvas. */
  readonly fill: readonly [number, number, number, number];
  readonly parts: readonly Part[];
  /** Tiles stand one beside the other by their own size. */
  readonly columns: number | undefined;
}

const OPAQUE_BLACK = [0, 0, 0, 255] as const;
/** A description has some bytes for each part. */
const LARGEST_DESCRIPTION = 2 ** 20;
/** Some seconds' work. */
const MOST_DRAWN_PIXELS = 2 ** 28;

/** Reads how a picture is put together (ISO/IEC 23008-12, 6.6.2). */
export async function readLayout(
  file: Blob,
  { kind, parts, location, itemData }: Composition,
  stored: Size,
): Promise<Layout> {
  const atOrigin = parts.map((item) => ({ item, left: 0, top: 0 }));
  if (kind === "iden") return { ...stored, fill: OPAQUE_BLACK, parts: atOrigin, columns: undefined };
  const [extent] = location?.extents ?? [];
  if (!location || !extent || location.within === "item" || extent.length > LARGEST_DESCRIPTION) {
    throw damagedHeif("it does not say how a picture of it is put together");
  }
  const { offset, length } = extent;
  const description =
    location.within === "idat"
      ? itemData.slice(offset, offset + length)
      : await partOf(file, offset, offset + length);
  const cursor = new Cursor(description, 0);
  cursor.skip(1);
  const isLarge = (cursor.u8() & 1) === 1;
  const side = () => (isLarge ? cursor.u32() : cursor.u16());
  if (kind === "grid") {
    const rows = cursor.u8() + 1;
    const columns = cursor.u8() + 1;
    if (rows * columns !== parts.length) throw damagedHeif("its tiles do not fill its picture");
    return { width: side(), height: side(), fill: OPAQUE_BLACK, parts: atOrigin, columns };
  }
  const channel = () => cursor.u16() >> 8;
  const fill = [channel(), channel(), channel(), channel()] as const;
  const size = { width: side(), height: side() };
  const place = () => (isLarge ? cursor.i32() : (cursor.u16() << 16) >> 16);
  const placed = parts.map((item) => ({ item, left: place(), top: place() }));
  return { ...size, fill, parts: placed, columns: undefined };
}

/**
 * Decodes the parts and puts them together.
 *
 * @throws {ServiceError} `damaged_file` when the parts cover each other again and again
 */
export function compose(heif: OpenHeif, { width, height, fill, parts, columns }: Layout): PixelRaster {
  const pixels = new Uint8ClampedArray(width * height * 4);
  for (let at = 0; at < pixels.length; at += 4) pixels.set(fill, at);
  const canvas: PixelRaster = { kind: "pixels", width, height, pixels };
  const decoded = new Map<number, PixelRaster>();
  let drawn = 0;
  for (const [index, { item, left, top }] of parts.entries()) {
    const part = decoded.get(item) ?? heif.decode(item);
    decoded.set(item, part);
    drawn += part.width * part.height;
    if (drawn > MOST_DRAWN_PIXELS) throw damagedHeif("a picture of it is made of too many others");
    if (columns === undefined) draw(canvas, part, left, top);
    else draw(canvas, part, (index % columns) * part.width, Math.floor(index / columns) * part.height);
  }
  return canvas;
}

function draw(canvas: PixelRaster, part: PixelRaster, left: number, top: number): void {
  const [startX, startY] = [Math.max(0, -left), Math.max(0, -top)];
  const endX = Math.min(part.width, canvas.width - left);
  const endY = Math.min(part.height, canvas.height - top);
  for (let y = startY; y < endY; y++) {
    for (let x = startX; x < endX; x++) {
      const from = (y * part.width + x) * 4;
      const to = ((top + y) * canvas.width + left + x) * 4;
      if (part.pixels[from + 3] === 255) canvas.pixels.set(part.pixels.subarray(from, from + 4), to);
      else blend(canvas.pixels, to, part.pixels, from);
    }
  }
}

/** One color over another, neither of them premultiplied. */
function blend(below: Uint8ClampedArray, to: number, above: Uint8ClampedArray, from: number): void {
  const over = (above[from + 3] ?? 0) / 255;
  const under = ((below[to + 3] ?? 0) / 255) * (1 - over);
  const alpha = over + under;
  if (alpha === 0) return;
  for (let channel = 0; channel < 3; channel++) {
    const sum = (above[from + channel] ?? 0) * over + (below[to + channel] ?? 0) * under;
    below[to + channel] = sum / alpha;
  }
  below[to + 3] = alpha * 255;
}
