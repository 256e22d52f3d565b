import { expect, test } from "vitest";
import {
  addRange,
  filesByPage,
  pageGroups,
  pagesInOrder,
  seamAfter,
  toggleCut,
  togglePage,
} from "../../../../demo/state/page-groups.ts";

test.each([
  ["1, 3–5", [[1], [3, 4, 5]]],
  ["5-", [[5, 6]]],
  ["3-1", [[3, 2, 1]]],
  ["odd, last", [[1, 3, 5], [6]]],
  ["ungerade, letzte", [[1, 3, 5], [6]]],
  ["all", [[1], [2], [3], [4], [5], [6]]],
  ["1, 9, x, 2-99999999999", [[1]]],
  ["", []],
])("%s of 6 pages makes %j", (text, groups) => {
  expect(pageGroups(text, 6)).toEqual(groups);
});

test.each([
  ["5, 1", [5, 1]],
  ["2-4, 3, odd", [2, 3, 4, 1, 5]],
  ["9, 6-5", [6, 5]],
  ["", []],
])("%s of 6 pages is one file of the pages %j", (text, pages) => {
  expect(pagesInOrder(text, 6)).toEqual(pages);
});

test("deselects a page that is clicked twice", () => {
  const clicks = [3, 5, 3];
  expect(clicks.reduce((text, page) => togglePage(text, page, 6), "")).toBe("5");
});

test("takes a page out of the middle of a range", () => {
  expect(togglePage("1, 3-5", 4, 6)).toBe("1, 3, 5");
  expect(togglePage("3-6", 3, 6)).toBe("4-6");
  expect(togglePage("5-", 6, 6)).toBe("5");
});

test("keeps the words of the user beside a page that is clicked", () => {
  expect(togglePage("letzte, 2", 4, 6)).toBe("letzte, 2, 4");
});

test("takes a page out of all files that have it", () => {
  expect(togglePage("1-3, 2", 2, 6)).toBe("1, 3");
});

test("makes a range one file, and takes its pages out of the others", () => {
  expect(addRange("3", [3, 5], 6)).toBe("3-5");
  expect(addRange("1, 2, 6", [5, 2], 6)).toBe("1, 6, 2-5");
});

test("writes a group that is no range page by page", () => {
  expect(togglePage("odd", 3, 7)).toBe("1, 5, 7");
});

test.each([
  ["odd", "odd, 2"],
  ["last", "last, 2"],
  ["1-3, x", "1, 3, x"],
  ["4, 99", "4, 99, 2"],
])("keeps the items of %j that a click does not concern", (text, expected) => {
  expect(togglePage(text, 2, 6)).toBe(expected);
});

test("adds a range to a long selection at once", () => {
  expect(addRange("all", [1, 1000], 1000)).toBe("1-1000");
});

test.each([
  ["", 2, "1-2, 3-6"],
  ["1-2, 3-6", 4, "1-2, 3-4, 5-6"],
  ["1-2, 3-4, 5-6", 2, "1-4, 5-6"],
  ["6-1", 2, "6-3, 2-1"],
  ["all", 3, "1, 2, 3-4, 5, 6"],
  ["3", 5, "3, 4-5, 6"],
  ["3", 3, "3, 4-6"],
  ["4-6", 3, "4-6, 1-3"],
  ["odd", 2, "odd, 2"],
  ["odd, even", 2, "odd, even"],
  ["5-6, x, 1-3", 2, "5-6, x, 1-2, 3"],
])("of %j, a cut after page %i makes %j", (text, page, expected) => {
  expect(toggleCut(text, page, 6)).toBe(expected);
});

test.each([
  ["1-3", 2, "joined"],
  ["1-3, 4", 3, "cut"],
  ["1-3", 3, "open"],
  ["3-1, 4", 3, "apart"],
  ["odd, even", 1, "apart"],
])("finds in %j that page %i and the next one are %s", (text, page, seam) => {
  expect(seamAfter(page, filesByPage(pageGroups(text, 6)))).toBe(seam);
});
