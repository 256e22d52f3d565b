import { afterEach, beforeEach, expect, test } from "vitest";
import {
  duplicatePages,
  forgetOrder,
  isOrganized,
  movePages,
  organizedPages,
  removePages,
  selectedPages,
  sequenceOf,
  turnPages,
} from "../../../../demo/state/organize.ts";
import { chosenTask } from "../../../../demo/state/task.ts";
import { type TrayFile, trayFiles } from "../../../../demo/state/tray.ts";
import { undo } from "../../../../demo/state/undo.ts";
import { inspectedFile } from "../../../support/tray-files.ts";

let report: TrayFile;
let letter: TrayFile;

beforeEach(() => {
  report = inspectedFile({ format: "pdf", size: 4, pages: 3 });
  letter = inspectedFile({ format: "pdf", size: 4, pages: 2 });
  trayFiles.value = [report, letter];
  chosenTask.value = "organize";
});

afterEach(() => {
  forgetOrder();
  trayFiles.value = [];
});

/** The pages as text: `r1` is page 1 of the report, `l2>90` page 2 of the letter, turned. */
const shown = () =>
  organizedPages.value
    .map(({ file, page, turn }) => `${file === report ? "r" : "l"}${page}${turn === 0 ? "" : `>${turn}`}`)
    .join(" ");

/** The ids of the pages at some places. */
const at = (...places: readonly number[]) =>
  new Set(places.map((place) => organizedPages.value[place]?.id ?? ""));

test("shows the pages of all files in their order", () => {
  expect(shown()).toBe("r1 r2 r3 l1 l2");
  expect(isOrganized.value).toBe(false);
});

test("moves, turns, copies and removes pages, and undoes each", () => {
  movePages(at(1, 3), 0);
  expect(shown()).toBe("r2 l1 r1 r3 l2");
  turnPages(at(0), -90);
  expect(shown()).toBe("r2>270 l1 r1 r3 l2");
  duplicatePages(at(0));
  expect(shown()).toBe("r2>270 r2>270 l1 r1 r3 l2");
  removePages(at(0, 5));
  expect(shown()).toBe("r2>270 l1 r1 r3");
  for (const before of [
    "r2>270 r2>270 l1 r1 r3 l2",
    "r2>270 l1 r1 r3 l2",
    "r2 l1 r1 r3 l2",
    "r1 r2 r3 l1 l2",
  ]) {
    undo();
    expect(shown()).toBe(before);
  }
});

test("moves pages to the nearest end, and not at all where they are", () => {
  movePages(at(4), 99);
  expect(isOrganized.value).toBe(false);
  movePages(at(4), -5);
  expect(shown()).toBe("l2 r1 r2 r3 l1");
});

test("undoes a drag at once", () => {
  const drag = {};
  const ids = at(0);
  movePages(ids, 1, drag);
  movePages(ids, 2, drag);
  undo();
  expect(shown()).toBe("r1 r2 r3 l1 l2");
});

test("keeps the order when files come and go, and puts new pages last", () => {
  movePages(at(4), 0);
  const other = inspectedFile({ format: "png", size: 4, images: 1 });
  trayFiles.value = [other, report, letter];
  expect(shown()).toBe("l2 r1 r2 r3 l1 l1");
  trayFiles.value = [letter];
  expect(shown()).toBe("l2 l1");
});

test("brings the pages of a file back as they were", () => {
  movePages(at(4), 0);
  turnPages(at(0), 90);
  trayFiles.value = [report];
  removePages(at(0));
  trayFiles.value = [report, letter];
  expect(shown()).toBe("r2 r3 l2>90 l1");
});

test("forgets the selection of removed pages", () => {
  selectedPages.value = at(0, 1);
  removePages(at(0));
  expect(selectedPages.value).toEqual(at(0));
});

test("names the files in the order of their first pages", () => {
  movePages(at(3), 0);
  turnPages(at(0), 90);
  turnPages(at(1), -90);
  removePages(at(2, 3, 4));
  expect(sequenceOf(organizedPages.value)).toEqual({
    files: [letter, report],
    sequence: [
      { file: 0, page: 1, rotate: 90 },
      { file: 1, page: 1, rotate: -90 },
    ],
  });
});
