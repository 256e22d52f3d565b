import { flattenPages, parsePageSelection, resolvePageSelection } from "../../src/shared/page-selection.ts";
import type { SourceImage } from "./formats/codec.ts";

/**
 * Returns the numbers of the images to convert, counted from 1.
 *
 * @param pages a page selection. Default: all images
 * @param images those of the file. The first one is the primary image if the file names none
 * @throws {ServiceError} `invalid_page_selection`
 */
export function chooseImages(
  pages: string | undefined,
  images: readonly Pick<SourceImage, "isPrimary">[],
): readonly number[] {
  if (pages === undefined) return images.map((_, index) => index + 1);
  const primary =
    Math.max(
      0,
      images.findIndex(({ isPrimary = false }) => isPrimary),
    ) + 1;
  return flattenPages(resolvePageSelection(parsePageSelection(pages), images.length, primary));
}
