import { expect, test } from "vitest";
import { mergedPages, mergeParts } from "../../../../demo/state/merge-parts.ts";
import { inspectedFile } from "../../../support/tray-files.ts";

const report = inspectedFile({ format: "pdf", size: 1, pages: 8, page_sizes: [{ width: 595, height: 842 }] });
const photo = inspectedFile({ format: "jpg", size: 1, images: 1, page_sizes: [{ width: 400, height: 300 }] });
const locked = inspectedFile({ format: "pdf", size: 1, encrypted: true });

test("counts the pages of the merged PDF", () => {
  const parts = mergeParts([report, photo, report], "fit");
  expect(parts.map(({ first, pages }) => [first, pages])).toEqual([
    [1, 8],
    [9, 1],
    [10, 8],
  ]);
  expect(mergedPages(parts)).toBe(17);
});

test("does not know the pages after a locked file", () => {
  const parts = mergeParts([photo, locked, report], "fit");
  expect(parts.map(({ first }) => first)).toEqual([1, 2, undefined]);
  expect(mergedPages(parts)).toBeUndefined();
});

test("puts an image on paper in its own direction", () => {
  const shapeOn = (size: "fit" | "a4" | "letter") => mergeParts([photo], size)[0]?.page;
  expect(shapeOn("fit")).toEqual({ width: 400, height: 300 });
  expect(shapeOn("a4")).toEqual({ width: 297, height: 210 });
  expect(shapeOn("letter")).toEqual({ width: 279, height: 216 });
});

test("counts the chosen pages only, each once, and shows the first of them", () => {
  const sizes = [
    { width: 595, height: 842 },
    { width: 842, height: 595 },
  ];
  const letter = inspectedFile({ format: "pdf", size: 1, pages: 2, page_sizes: sizes });
  letter.mergePages.value = "2; 2";
  const parts = mergeParts([letter, report], "fit");
  expect(parts[0]).toMatchObject({ pages: 1, firstPage: 2, page: sizes[1] });
  expect(parts[1]).toMatchObject({ pages: 8, firstPage: 1, first: 2 });
  expect(mergedPages(parts)).toBe(9);
});

test("does not know the pages of a selection that is wrong", () => {
  const letter = inspectedFile({ format: "pdf", size: 1, pages: 2 });
  letter.mergePages.value = "1, 9";
  expect(mergeParts([letter], "fit")[0]).toMatchObject({ pages: undefined, firstPage: 1 });
  letter.mergePages.value = " ";
  expect(mergeParts([letter], "fit")[0]).toMatchObject({ pages: 2, firstPage: 1 });
});
