import { computed } from "@preact/signals";
import { pageSize as chosenSize, type PageSize } from "./options.ts";
import { pagesInOrder } from "./page-groups.ts";
import { checkPages, normalizePages } from "./page-selection.ts";
import { fileKind, taskFiles } from "./task.ts";
import type { TrayFile } from "./tray.ts";

/** A file of a merged PDF. */
export interface MergePart {
  readonly file: TrayFile;
  /** How many of its pages come in. Undefined if it is not known: of a locked file, and if the selection is wrong. */
  readonly pages: number | undefined;
  /** The number that its first page in the merged PDF has in the file. */
  readonly firstPage: number;
  /** The number of its first page in the merged PDF. Undefined if the pages of a file before it are not known. */
  readonly first: number | undefined;
  /** The shape of this page. */
  readonly page: Shape;
}

interface Shape {
  readonly width: number;
  readonly height: number;
}

/** The short and the long side of each paper, in millimeters. */
const PAPERS: Readonly<Record<Exclude<PageSize, "fit">, readonly [number, number]>> = {
  a4: [210, 297],
  letter: [216, 279],
};

/** Whether only images are merged: then their pages can have a size of paper. */
export const areImages = computed(() => taskFiles.value.every((file) => fileKind(file) === "image"));

/** The parts of the merged PDF, in order. */
export const chosenParts = computed(() =>
  mergeParts(taskFiles.value, areImages.value ? chosenSize.value : "fit"),
);

/** Returns the parts of a merged PDF, in order. `pageSize` is that of images. */
export function mergeParts(files: readonly TrayFile[], pageSize: PageSize): readonly MergePart[] {
  let first: number | undefined = 1;
  return files.map((file): MergePart => {
    const { pages, firstPage } = mergedFrom(file);
    const part = { file, pages, firstPage, first, page: pageShape(file, firstPage, pageSize) };
    first = first === undefined || pages === undefined ? undefined : first + pages;
    return part;
  });
}

/** Returns the number of pages of a merged PDF. Undefined if it is not known of a file. */
export function mergedPages(parts: readonly MergePart[]): number | undefined {
  const { first, pages } = parts.at(-1) ?? {};
  return first === undefined || pages === undefined ? undefined : first + pages - 1;
}

/** Returns how many pages of a file a merge takes, and the first one. */
export function mergedFrom({ inspection, mergePages }: TrayFile): Pick<MergePart, "pages" | "firstPage"> {
  const count = inspection.value?.pages ?? inspection.value?.images;
  if (normalizePages(mergePages.value) === "") return { pages: count, firstPage: 1 };
  if (count === undefined || checkPages(mergePages.value, count)) return { pages: undefined, firstPage: 1 };
  const pages = pagesInOrder(mergePages.value, count);
  return { pages: pages.length, firstPage: pages[0] ?? 1 };
}

/** Returns the shape of a page of a file. On paper, an image is in portrait or landscape by its own shape. */
function pageShape({ inspection }: TrayFile, page: number, pageSize: PageSize): Shape {
  const natural = inspection.value?.page_sizes?.[page - 1];
  const shape = natural ?? { width: 210, height: 297 };
  if (pageSize === "fit") return shape;
  const [short, long] = PAPERS[pageSize];
  return shape.width > shape.height ? { width: long, height: short } : { width: short, height: long };
}
