import { beforeEach, expect, test } from "vitest";
import { mergeChoice, type PageChoice } from "../../../../demo/state/page-choice.ts";
import { invertPages, togglePage } from "../../../../demo/state/page-groups.ts";
import { type TrayFile, trayFiles } from "../../../../demo/state/tray.ts";
import { undo } from "../../../../demo/state/undo.ts";
import { inspectedFile } from "../../../support/tray-files.ts";

const PAGES = 12;

let file: TrayFile;
let choice: PageChoice;

beforeEach(() => {
  file = inspectedFile({ format: "pdf", size: 1, pages: PAGES });
  trayFiles.value = [file];
  choice = mergeChoice(file);
});

const click = (page: number) => choice.set(togglePage(choice.text(), page, PAGES));

test("leaves a page out at the first click, and takes it in again at the second", () => {
  click(3);
  expect(file.mergePages.value).toBe("1-2, 4-12");
  click(3);
  expect(file.mergePages.value).toBe("");
});

test("undoes a click", () => {
  click(3);
  expect(undo()).toBe(true);
  expect(file.mergePages.value).toBe("");
});

test("puts a page back to its place", () => {
  for (const page of [2, 5, 2]) click(page);
  expect(file.mergePages.value).toBe("1-4, 6-12");
});

test("keeps the order that the user has typed", () => {
  file.mergePages.value = "7, 3";
  click(5);
  expect(file.mergePages.value).toBe("7, 3, 5");
});

test("refuses to leave no page", () => {
  choice.set(invertPages(choice.text(), PAGES));
  expect(file.mergePages.value).toBe("");
  file.mergePages.value = "4";
  click(4);
  expect(file.mergePages.value).toBe("4");
});

test("keeps a word as it is", () => {
  choice.set("odd");
  expect(file.mergePages.value).toBe("odd");
  choice.set("all");
  expect(file.mergePages.value).toBe("");
});
