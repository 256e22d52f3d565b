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
  // German, as its grammar has them.
  ["letzte, 3 – 5", "last,3-5"],
  ["Ungerade; gerade Alle", "odd,even,all"],
  ["letzter, letzten, geraden, ungeraden, aller", "last,last,even,odd,all"],
  ["4-letzte", "4-"],
  ["4-last", "4-"],
  ["4-gerade", "4-gerade"],
])("reads %j as %j", (typed, selection) => {
  expect(normalizePages(typed)).toBe(selection);
});

test.each([
  ["1, 3–5", 6, undefined],
  ["all", 6, undefined],
  ["Letzte, alle, ungerade", 6, undefined],
  ["2-letzte", 6, undefined],
  ["9-letzte", 6, "problem.pageCount"],
  ["letzteres", 6, "problem.pageItem"],
  ["gerade", 1, "problem.pageCount"],
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
