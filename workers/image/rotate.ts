import type { Turn } from "../../src/shared/rotation.ts";
import type { SourceImage } from "./formats/codec.ts";
import type { Orientation } from "./metadata/exif.ts";
import { bitmapPicture, toPixels } from "./picture/convert-layout.ts";
import type { BitmapPicture, PixelPicture } from "./picture/picture.ts";
import { rotatedOrientation, uprightBitmap, uprightPixels, uprightSize } from "./picture/upright.ts";

/** Returns an image that decodes to rotated pictures. Its coded data cannot be copied. */
export function rotatedImage(image: SourceImage, turn: Turn): SourceImage {
  if (turn === 0) return image;
  const { coded: _, ...facts } = image;
  const { planes, pixels, browser } = image.decoders;
  const orientation = rotatedOrientation(1, turn);
  const rotated = (picture: PixelPicture | undefined) => picture && uprightPixels(picture, orientation);
  return {
    ...facts,
    shown: uprightSize(image.shown, orientation),
    decoders: {
      ...(planes && {
        planes: async (helpers: number) => {
          const picture = await planes(helpers);
          return picture && rotated(toPixels(picture));
        },
      }),
      ...(pixels && { pixels: async (helpers: number) => rotated(await pixels(helpers)) }),
      ...(browser && {
        browser: async (keepsValues: boolean) => rotatedBitmap(await browser(keepsValues), orientation),
      }),
    },
  };
}

function rotatedBitmap({ bitmap, hasAlpha, icc }: BitmapPicture, orientation: Orientation): BitmapPicture {
  return bitmapPicture(uprightBitmap(bitmap, orientation), hasAlpha, false, icc);
}
