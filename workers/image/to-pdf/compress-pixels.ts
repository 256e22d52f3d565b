import { Deflater } from "../../io/deflater.ts";
import { PNG_FILTER } from "../../io/png-filters.ts";
import { PixelRows } from "../picture/convert-layout.ts";
import type { Picture } from "../picture/picture.ts";
import type { EmbeddedImage, Samples } from "./embedded-image.ts";

/**
 * Compresses the exact values of a picture, some rows at a time, so that they are not in memory once more. Alpha becomes a
 * soft mask if any pixel is transparent.
 */
export async function compressPixels(picture: Picture): Promise<Samples & Pick<EmbeddedImage, "softMask">> {
  const { width, height, hasAlpha } = picture;
  const color = new Deflater();
  const alpha = hasAlpha ? new Deflater() : undefined;
  let isOpaque = true;
  const rows = new PixelRows(picture);
  try {
    for (let top = 0; top < height; top += rows.most) {
      const values = rows.read(top, Math.min(rows.most, height - top));
      for (let start = 0; start < values.length; start += 4 * width) {
        const row = values.subarray(start, start + 4 * width);
        putColors(row, color.next(1 + 3 * width));
        if (alpha !== undefined) isOpaque = putAlpha(row, alpha.next(1 + width)) && isOpaque;
        await (color.ready ?? alpha?.ready);
      }
    }
  } finally {
    rows.close();
  }
  const [colors, mask] = [await samplesOf(color), alpha && (await samplesOf(alpha))];
  return { ...colors, softMask: isOpaque ? undefined : mask };
}

async function samplesOf(deflater: Deflater): Promise<Samples> {
  return {
    bitsPerComponent: 8,
    compression: { kind: "flate", filtered: true },
    data: [{ kind: "bytes", bytes: await deflater.end() }],
  };
}

/** Writes the colors of a row of pixels, each as the difference from the pixel before. */
function putColors(row: Uint8ClampedArray, into: Uint8Array): void {
  into[0] = PNG_FILTER.sub;
  let [red, green, blue] = [0, 0, 0];
  for (let at = 0, to = 1; at < row.length; at += 4, to += 3) {
    const [ownRed, ownGreen, ownBlue] = [row[at] as number, row[at + 1] as number, row[at + 2] as number];
    into[to] = ownRed - red;
    into[to + 1] = ownGreen - green;
    into[to + 2] = ownBlue - blue;
    red = ownRed;
    green = ownGreen;
    blue = ownBlue;
  }
}

/** Writes the alpha of a row of pixels, likewise. Returns whether all of them are opaque. */
function putAlpha(row: Uint8ClampedArray, into: Uint8Array): boolean {
  into[0] = PNG_FILTER.sub;
  let isOpaque = true;
  let before = 0;
  for (let at = 3, to = 1; at < row.length; at += 4, to++) {
    const alpha = row[at] as number;
    into[to] = alpha - before;
    before = alpha;
    if (alpha !== 255) isOpaque = false;
  }
  return isOpaque;
}
