import { expect, test } from "vitest";
import { checkPages, normalizePages } from "../../../../demo/state/page-selection.ts";

test.each([
  ["3–5", "3-5"],
  ["3 — 5", "3-5"],
  ["1;2", "1,2"],
  ["1 2", "1,2"],
  [" 1, 3 - 5 ; last, ", "1,3-5,last"],
  ["5-", "5-"],
  ["", ""],
])("reads %j as %j", (typed, selection) => {
  expect(normalizePages(typed)).toBe(selection);
});

test.each([
  ["1, 3–5", 6, undefined],
  ["all", 6, undefined],
  ["6-", 6, undefined],
  ["", 6, "problem.pages"],
  ["1, x", 6, "problem.pageItem"],
  ["-3", 6, "problem.pageItem"],
  ["0", 6, "problem.pageZero"],
  ["2-9", 6, "problem.pageCount"],
  ["even", 1, "problem.pageCount"],
  ["99", undefined, undefined],
])("says of %j in a document of %s pages: %s", (text, pages, message) => {
  expect(checkPages(text, pages)?.message).toBe(message);
});

test("names the page that does not exist and the number of pages", () => {
  expect(checkPages("2-9", 6)?.values).toEqual({ page: "9", count: 6 });
});
