import { flattenPages, parsePageSelection, resolvePageSelection } from "../../src/shared/page-selection.ts";
import type { Size } from "./picture/size.ts";

/** An image, and its number in the file, counted from 1. */
export interface ChosenImage<Image> {
  readonly number: number;
  readonly image: Image;
}

/**
 * Returns the images to convert.
 *
 * @param pages a page selection. Default: all images
 * @param images those of the file. The first one is the primary image if the file names none
 * @throws {ServiceError} `invalid_page_selection`
 */
export function chooseImages<Image extends { readonly isPrimary?: boolean }>(
  pages: string | undefined,
  images: readonly Image[],
): readonly ChosenImage<Image>[] {
  const numbered = images.map((image, index) => ({ number: index + 1, image }));
  if (pages === undefined) return numbered;
  const primary = numbered.find(({ image }) => image.isPrimary === true)?.number ?? 1;
  const chosen = flattenPages(resolvePageSelection(parsePageSelection(pages), images.length, primary));
  return chosen.flatMap((number) => numbered[number - 1] ?? []);
}

/** Returns the number of pixels of all chosen images. */
export function pixelsIn(chosen: readonly ChosenImage<Size>[]): number {
  return chosen.reduce((sum, { image }) => sum + image.width * image.height, 0);
}
