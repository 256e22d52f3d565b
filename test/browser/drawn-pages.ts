import type { ConvertParams } from "../../src/index.ts";
import { type DrawnPage, drawnPdf } from "../support/fixtures/drawn-pdf.ts";
import type { PlainObject } from "../support/fixtures/pdf-objects.ts";
import { convert, pixel, shown } from "./pictures.ts";

export const RED = [255, 0, 0, 255];
export const LIME = [0, 255, 0, 255];
export const BLUE = [0, 0, 255, 255];
export const YELLOW = [255, 255, 0, 255];
export const WHITE = [255, 255, 255, 255];

/** A page as it comes out, a pixel for each unit. */
export async function drawn(
  page: DrawnPage,
  more: { readonly objects?: readonly PlainObject[]; readonly catalog?: string } = {},
  params: Partial<ConvertParams> = {},
): Promise<ImageData> {
  return shown(await convert(drawnPdf([page], more), "png", { dpi: 72, ...params }));
}

/** The colors in the middles of the quarters: top left, top right, bottom left, bottom right. */
export function quartersOf(picture: ImageData): number[][] {
  const { width, height } = picture;
  const at = (x: number, y: number) => pixel(picture, Math.floor(x * width), Math.floor(y * height));
  return [at(0.25, 0.25), at(0.75, 0.25), at(0.25, 0.75), at(0.75, 0.75)];
}
