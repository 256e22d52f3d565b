import { beforeEach, expect, test, vi } from "vitest";
import { problems } from "../../../../demo/state/checks.ts";
import {
  convert,
  convertFields,
  protect,
  protectFields,
  shrink,
  shrinkFields,
  split,
  splitFields,
} from "../../../../demo/state/options.ts";
import { chosenFormat, chosenTask } from "../../../../demo/state/task.ts";
import { trayFiles } from "../../../../demo/state/tray.ts";
import { inspectedFile } from "../../../support/tray-files.ts";

vi.mock("../../../../demo/state/client.ts", () => import("../../../support/app-client.ts"));

const report = inspectedFile({ format: "pdf", size: 4, pages: 25 }, new File(["report"], "report.pdf"));

beforeEach(() => {
  trayFiles.value = [report];
  split.way.value = "every";
});

test.each(["2.000", "2,000", "2 000", "2e3", "0x10", "-1", "0"])("%s is no whole number", (text) => {
  convert.side.value = text;
  convert.dpi.value = text;
  split.every.value = text;
  chosenTask.value = "convert";
  expect(problems.value.map(({ field }) => field)).toEqual(["convert-side", "convert-dpi"]);
  chosenTask.value = "split";
  expect(problems.value.map(({ field }) => field)).toEqual(["split-every"]);
});

test("whole numbers of digits reach the calls", () => {
  convert.side.value = " 2000 ";
  convert.dpi.value = "300";
  split.every.value = "2000";
  expect(convertFields()).toMatchObject({ max_width: 2000, max_height: 2000, dpi: 300 });
  expect(splitFields(report)).toMatchObject({ every: 2000 });
  chosenTask.value = "convert";
  expect(problems.value).toEqual([]);
});

test.each([
  ["2", 2_000_000],
  ["2.5", 2_500_000],
  ["2,5", 2_500_000],
  ["0.125", 125_000],
  [" 2000 ", 2_000_000_000],
])("a size of %s MB is %d bytes", (text, bytes) => {
  shrink.way.value = "size";
  shrink.size.value = text;
  chosenTask.value = "shrink";
  expect([problems.value, shrinkFields(report)]).toMatchObject([[], { max_bytes: bytes }]);
});

// In one language it is 2 MB, in another 2,000 MB.
test.each(["2.000", "2,000", "2.000,5", "1.000.000", "2 000", "2e3", "0x10", "-1", "0", ""])(
  "%s is no size",
  (text) => {
    shrink.way.value = "size";
    shrink.size.value = text;
    split.way.value = "size";
    split.size.value = text;
    for (const task of ["shrink", "split"] as const) {
      chosenTask.value = task;
      expect(problems.value).toEqual([{ field: `${task}-size`, message: "problem.number" }]);
    }
  },
);

test("what is typed in a field that the choice hides is no problem, and reaches no call", () => {
  for (const text of [shrink.size, split.size, split.every, convert.size, convert.side, convert.dpi]) {
    text.value = "two";
  }
  shrink.way.value = "mail";
  split.way.value = "outline";
  chosenFormat.value = "txt";
  protect.ownerPassword.value = protect.password.value = protect.repeated.value = "same";
  for (const task of ["shrink", "split", "convert", "protect"] as const) {
    chosenTask.value = task;
    expect([task, problems.value]).toEqual([task, []]);
  }
  expect(convertFields()).toEqual({ output_format: "txt" });
  expect(protectFields()).not.toHaveProperty("owner_password");
  protect.restriction.value = "no-print";
  expect(problems.value).toMatchObject([{ message: "problem.samePasswords" }]);
});

test("the resolution of pages is not asked for pictures", () => {
  trayFiles.value = [inspectedFile({ format: "png", size: 4 })];
  chosenTask.value = "convert";
  chosenFormat.value = "jpg";
  convert.dpi.value = "two";
  convert.size.value = convert.side.value = "";
  expect([problems.value, convertFields()]).toEqual([[], { output_format: "jpg" }]);
});
