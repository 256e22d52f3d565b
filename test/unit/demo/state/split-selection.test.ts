import { afterEach, beforeEach, expect, test } from "vitest";
import { split } from "../../../../demo/state/options.ts";
import {
  chooseWay,
  selectionOf,
  setSelection,
  shareSelection,
} from "../../../../demo/state/split-selection.ts";
import { chosenFile, chosenTask } from "../../../../demo/state/task.ts";
import { type TrayFile, trayFiles } from "../../../../demo/state/tray.ts";
import { undo } from "../../../../demo/state/undo.ts";
import { inspectedFile } from "../../../support/tray-files.ts";

let report: TrayFile;
let letter: TrayFile;

beforeEach(() => {
  report = inspectedFile({ format: "pdf", size: 4, pages: 25 });
  letter = inspectedFile({ format: "pdf", size: 4, pages: 2 });
  trayFiles.value = [report, letter];
  chosenTask.value = "split";
});

afterEach(() => {
  trayFiles.value = [];
  split.way.value = "together";
  split.every.value = "2";
  split.isShared.value = false;
  split.shared.value = "";
  chosenFile.value = undefined;
});

test("begins one selection for all files as that of the shown file", () => {
  setSelection(report, "1");
  setSelection(letter, "2");
  chosenFile.value = letter;
  shareSelection(true);
  expect(selectionOf(report)).toBe("2");
});

test("begins one selection for all files as that of another file if the shown one has none", () => {
  setSelection(report, "1");
  chosenFile.value = letter;
  shareSelection(true);
  expect(selectionOf(letter)).toBe("1");
});

test("keeps the selections of the files beside the one for all", () => {
  setSelection(report, "1");
  shareSelection(true);
  setSelection(letter, "1-2");
  expect(selectionOf(report)).toBe("1-2");
  chooseWay("size");
  chooseWay("pages");
  expect(selectionOf(report)).toBe("1-2");
  shareSelection(false);
  expect(selectionOf(report)).toBe("1");
  expect(selectionOf(letter)).toBe("");
});

test("keeps the selection of each file when its pages become several files", () => {
  setSelection(report, "3-5");
  chooseWay("pages");
  expect(selectionOf(report)).toBe("3-5");
  setSelection(letter, "2");
  expect(split.way.value).toBe("pages");
  expect(selectionOf(report)).toBe("3-5");
});

test.each([
  ["every", "10", "1-10, 11-20, 21-25", "1-2"],
  ["every", "1,5", "", ""],
] as const)("writes the way %s, with %s pages, as the selection %j", (way, every, ofReport, ofLetter) => {
  split.way.value = way;
  split.every.value = every;
  expect(selectionOf(report)).toBe(ofReport);
  expect(selectionOf(letter)).toBe(ofLetter);
});

test("writes the chapters of a file as its selection", () => {
  chooseWay("outline");
  expect(selectionOf(letter)).toBe("");
  letter.inspection.value = {
    format: "pdf",
    size: 4,
    pages: 2,
    outline: [{ title: "End", page: 2, level: 1 }],
  };
  expect(selectionOf(letter)).toBe("1, 2");
});

test("keeps what another way makes of the other files when one is changed", () => {
  split.way.value = "every";
  split.every.value = "10";
  setSelection(report, "1-25");
  expect(split.way.value).toBe("pages");
  expect(selectionOf(letter)).toBe("1-2");
});

test("undoes selections one by one, and the way that they changed", () => {
  chooseWay("every");
  setSelection(report, "1");
  setSelection(report, "1, 2");
  undo();
  expect(selectionOf(report)).toBe("1");
  undo();
  expect(split.way.value).toBe("every");
  expect(letter.pages.value).toBe("");
  undo();
  expect(split.way.value).toBe("together");
});

test("undoes typed letters and a drag at once", () => {
  setSelection(report, "1", "typed");
  setSelection(report, "12", "typed");
  const drag = {};
  setSelection(report, "12, 2-3", drag);
  setSelection(report, "12, 2-4", drag);
  undo();
  expect(selectionOf(report)).toBe("12");
  undo();
  expect(selectionOf(report)).toBe("");
});
