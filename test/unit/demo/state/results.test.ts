import { beforeEach, expect, test, vi } from "vitest";
import { cancelAll, retry, startTask } from "../../../../demo/state/calls.ts";
import { isWorking, jobs, jobsOf, jointJobs, tally } from "../../../../demo/state/jobs.ts";
import { convert, protect, split } from "../../../../demo/state/options.ts";
import {
  currentOutputs,
  failedJobs,
  failedName,
  hasReceipt,
  largerCount,
  outdatedCount,
  results,
  startable,
} from "../../../../demo/state/results.ts";
import { isSame } from "../../../../demo/state/settings.ts";
import { chosenFormat, chosenTask, targetFormat } from "../../../../demo/state/task.ts";
import { moveFile, type TrayFile, trayFiles } from "../../../../demo/state/tray.ts";
import { ServiceError } from "../../../../src/index.ts";
import { appCalls, released } from "../../../support/app-client.ts";
import { inspectedFile } from "../../../support/tray-files.ts";

vi.mock("../../../../demo/state/client.ts", () => import("../../../support/app-client.ts"));

let report: TrayFile;
let letter: TrayFile;
let photo: TrayFile;

beforeEach(() => {
  cancelAll();
  jobs.value = [];
  appCalls.length = 0;
  released.length = 0;
  report = inspectedFile({ format: "pdf", size: 4, pages: 25 }, new File(["report"], "report.pdf"));
  letter = inspectedFile({ format: "pdf", size: 4, pages: 2 }, new File(["letter"], "letter.pdf"));
  photo = inspectedFile({ format: "jpg", size: 4 }, new File([new Uint8Array(100)], "photo.jpg"));
  trayFiles.value = [report, letter];
  protect.password.value = "";
  chosenFormat.value = undefined;
});

/** Starts a task, and ends its calls with results of these names. */
async function run(task: "protect" | "split" | "merge" | "convert", ...names: string[]): Promise<void> {
  chosenTask.value = task;
  const before = appCalls.length;
  startTask();
  for (const [index, name] of names.entries()) await appCalls[before + index]?.end(name);
}

const current = () => currentOutputs.value.map(({ file }) => file.value.name);

test("a password that is typed after the result outdates it, until it is the same again", async () => {
  protect.password.value = "first";
  await run("protect", "one.pdf", "two.pdf");
  expect(current()).toEqual(["one.pdf", "two.pdf"]);
  protect.password.value = "second";
  expect([current(), outdatedCount.value, startable.value.length]).toEqual([[], 2, 2]);
  protect.password.value = "first";
  expect([current().length, outdatedCount.value, startable.value.length]).toEqual([2, 0, 0]);
});

test("a job keeps the options that it was started with", async () => {
  protect.password.value = "first";
  chosenTask.value = "protect";
  startTask();
  protect.password.value = "second";
  expect(appCalls.map(({ params }) => params)).toMatchObject([{ password: "first" }, { password: "first" }]);
  await appCalls[0]?.end("one.pdf");
  expect(current()).toEqual([]);
  expect(outdatedCount.value).toBe(1);
});

test.each<[string, () => void]>([
  ["order", () => moveFile(letter, 0)],
  ["selection", () => (letter.mergePages.value = "1")],
  ["password", () => (report.password.value = "other")],
  [
    "number of files",
    () => (trayFiles.value = [...trayFiles.value, inspectedFile({ format: "pdf", size: 1 })]),
  ],
])("another %s outdates a merge", async (_, change) => {
  await run("merge", "merged.pdf");
  expect(current()).toEqual(["merged.pdf"]);
  change();
  expect([current(), outdatedCount.value]).toEqual([[], 1]);
});

test("the pages of one file outdate its result only", async () => {
  report.pages.value = "1";
  letter.pages.value = "1";
  await run("split", "report.pdf", "letter.pdf");
  report.pages.value = "1, 2";
  expect(current()).toEqual(["pages-letter.pdf"]);
  expect(startable.value).toEqual([report]);
  // The same pages in other words.
  letter.pages.value = " 1 ;";
  expect(current()).toEqual(["pages-letter.pdf"]);
});

test("saves together only results of one task", async () => {
  protect.password.value = "secret";
  await run("protect", "protected.pdf", "protected-2.pdf");
  await run("merge", "merged.pdf");
  expect(current()).toEqual(["merged.pdf"]);
  await run("convert", "report.zip", "letter.zip");
  expect(current()).toEqual(["report.zip", "letter.zip"]);
  chosenTask.value = "protect";
  expect(current()).toEqual(["protected.pdf", "protected-2.pdf"]);
  expect(results.value.length).toBe(5);
  expect(released).toEqual([]);
});

test("numbers results of the same name, but not one that takes the place of another", async () => {
  await run("convert", "page.jpg", "page.jpg");
  expect(current()).toEqual(["page.jpg", "page (2).jpg"]);
  retry(report);
  await appCalls.at(-1)?.end("page.jpg");
  expect(current()).toEqual(["page.jpg", "page (2).jpg"]);
});

test("saves together in the order of the files", async () => {
  await run("convert", "report.zip", "letter.zip");
  retry(report);
  await appCalls.at(-1)?.end("report-again.zip");
  expect(current()).toEqual(["report-again.zip", "letter.zip"]);
  expect(released).toEqual(["report.zip"]);
});

test("replaces the result of the same task, and keeps that of another", async () => {
  await run("merge", "merged.pdf");
  moveFile(letter, 0);
  await run("merge", "again.pdf");
  expect(jointJobs.value[0]?.files).toEqual([letter, report]);
  expect(released).toEqual(["merged.pdf"]);
});

test("a result is kept until the job that replaces it is done, and is back when that job is cancelled", async () => {
  trayFiles.value = [report];
  protect.password.value = "first";
  await run("protect", "one.pdf");
  protect.password.value = "second";
  await run("protect");
  retry();
  expect([results.value, released]).toEqual([[], []]);
  cancelAll();
  expect(results.value.map(({ state }) => state.archiveName)).toEqual(["one.pdf"]);
  // The cancelled calls end.
  await new Promise((resolve) => setTimeout(resolve));
  await run("protect", "two.pdf");
  expect(results.value.map(({ state }) => state.archiveName)).toEqual(["two.pdf"]);
  expect(released).toEqual(["one.pdf"]);
});

test("a job that fails has the result of before, which the next one replaces", async () => {
  trayFiles.value = [report];
  protect.password.value = "first";
  await run("protect", "one.pdf");
  protect.password.value = "second";
  await run("protect");
  await appCalls.at(-1)?.fail(new ServiceError("damaged_file", "Damaged"));
  expect([failedJobs.value.length, outdatedCount.value, startable.value.length]).toEqual([1, 1, 1]);
  protect.password.value = "first";
  expect([current(), startable.value]).toEqual([["one.pdf"], []]);
  protect.password.value = "second";
  await run("protect", "two.pdf");
  expect([current(), failedJobs.value, released]).toEqual([["two.pdf"], [], ["one.pdf"]]);
});

test("a cancelled job is none, and its late result is freed", async () => {
  await run("convert");
  cancelAll();
  expect(jobsOf(report)).toEqual([]);
  expect(isWorking.value).toBe(false);
  expect(appCalls.map(({ signal }) => signal?.aborted)).toEqual([true, true]);
  await appCalls[0]?.end("late.zip");
  expect(results.value).toEqual([]);
});

test("counts what is ready and what has failed since the page was idle", async () => {
  await run("convert", "report.zip");
  await appCalls[1]?.fail(new ServiceError("damaged_file", "It is damaged"));
  expect(tally.value).toEqual({ total: 2, ready: 1, failed: 1 });
  expect(startable.value).toEqual([letter]);
  await run("convert", "letter.zip");
  expect(tally.value).toEqual({ total: 1, ready: 1, failed: 0 });
});

test("proposes JPG for pictures of all formats, also for JPGs", () => {
  trayFiles.value = [photo];
  chosenTask.value = "convert";
  expect(targetFormat.value).toBe("jpg");
  trayFiles.value = [photo, inspectedFile({ format: "png", size: 4 })];
  expect(targetFormat.value).toBe("jpg");
});

test("finds pictures that a conversion makes larger", async () => {
  trayFiles.value = [photo];
  for (const [quality, size, larger] of [
    [90, 101, 1],
    [80, 100, 0],
  ] as const) {
    convert.quality.value = quality;
    chosenTask.value = "convert";
    startTask();
    await appCalls.at(-1)?.end("photo.jpg", size, "image/jpeg");
    expect(largerCount.value).toBe(larger);
  }
});

test("finds pages that are larger than a split by size was to make files", async () => {
  trayFiles.value = [report];
  const { way, size } = split;
  const before = [way.value, size.value] as const;
  [way.value, size.value] = ["size", "0.0001"];
  await run("split");
  for (const [bytes, type, larger] of [
    [101, "application/pdf", 1],
    [100, "application/pdf", 0],
    // An archive that is not read has several.
    [101, "application/zip", 0],
  ] as const) {
    retry(report);
    await appCalls.at(-1)?.end("report.pdf", bytes, type);
    expect(largerCount.value).toBe(larger);
  }
  [way.value, size.value] = before;
});

test("compares settings as values, and files as themselves", () => {
  const file = new File(["a"], "a.pdf");
  const settings = (one: File, password = "x") =>
    ({ method: "protectPdf", params: { file: one, password } }) as const;
  expect(isSame(settings(file), settings(file))).toBe(true);
  expect(isSame(settings(file), settings(file, "y"))).toBe(false);
  expect(isSame(settings(file), settings(new File(["a"], "a.pdf")))).toBe(false);
  expect(isSame(settings(file), { method: "unlockPdf", params: { file, password: "x" } })).toBe(false);
});

test("has a receipt, but not where the parts of an archive are saved", async () => {
  trayFiles.value = [report];
  protect.password.value = "secret";
  await run("protect", "protected-report.pdf");
  await run("split", "split-report.zip");
  expect(results.value.map((result) => [result.job.task, hasReceipt(result)])).toEqual([
    ["protect", true],
    ["split", false],
  ]);
});

test("a failed merge names the file that the error is about", async () => {
  chosenTask.value = "merge";
  startTask();
  await appCalls[0]?.fail(new ServiceError("damaged_file", "letter: damaged", { file_index: 1 }));
  expect(failedJobs.value.map(failedName)).toEqual(["letter.pdf"]);
});
