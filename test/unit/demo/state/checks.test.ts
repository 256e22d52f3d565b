import { beforeEach, expect, test, vi } from "vitest";
import { problems } from "../../../../demo/state/checks.ts";
import { convert, convertFields, split, splitFields } from "../../../../demo/state/options.ts";
import { chosenTask } from "../../../../demo/state/task.ts";
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
