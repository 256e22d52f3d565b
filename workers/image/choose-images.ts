import { flattenPages, parsePageSelection, resolvePageSelection } from "../../src/shared/page-selection.ts";
import { resolveRotation, type Turn } from "../../src/shared/rotation.ts";
import type { Size } from "./picture/size.ts";

/** An image, and its number in the file, counted from 1. */
export interface ChosenImage<Image> {
  readonly number: number;
  readonly image: Image;
  /** How it is rotated after its orientation. */
  readonly turn: Turn;
}

/**
 * Returns the images to convert.
 *
 * @param options a page selection, by default of all images, and the rotation of images
 * @param images those of the file. The first one is the primary image if the file names none
 * @throws {ServiceError} `invalid_page_selection`
 */
export function chooseImages<Image extends { readonly isPrimary?: boolean }>(
  { pages, rotate }: { readonly pages?: string | undefined; readonly rotate?: string | undefined },
  images: readonly Image[],
): readonly ChosenImage<Image>[] {
  const primary =
    1 +
    Math.max(
      0,
      images.findIndex(({ isPrimary }) => isPrimary === true),
    );
  const turns = resolveRotation(rotate, images.length, primary);
  const numbered = images.map((image, index) => ({ number: index + 1, image, turn: turns(index + 1) }));
  if (pages === undefined) return numbered;
  const chosen = flattenPages(resolvePageSelection(parsePageSelection(pages), images.length, primary));
  return chosen.flatMap((number) => numbered[number - 1] ?? []);
}

/** Returns the number of pixels of all chosen images. */
export function pixelsIn(chosen: readonly ChosenImage<Size>[]): number {
  return chosen.reduce((sum, { image }) => sum + image.width * image.height, 0);
}
