import { beforeEach, expect, test, vi } from "vitest";
import { startTask } from "../../../../demo/state/calls.ts";
import { continueWith } from "../../../../demo/state/continue.ts";
import { losesWithPage } from "../../../../demo/state/leaving.ts";
import { protect } from "../../../../demo/state/options.ts";
import { startOver } from "../../../../demo/state/removal.ts";
import { currentOutputs } from "../../../../demo/state/results.ts";
import { chosenTask } from "../../../../demo/state/task.ts";
import { type TrayFile, trayFiles } from "../../../../demo/state/tray.ts";
import { appCalls } from "../../../support/app-client.ts";
import { inspectedFile } from "../../../support/tray-files.ts";

vi.mock("../../../../demo/state/client.ts", () => import("../../../support/app-client.ts"));

let report: TrayFile;

beforeEach(() => {
  startOver();
  report = inspectedFile({ format: "pdf", size: 4, pages: 25 }, new File(["report"], "report.pdf"));
});

/** Does a task with the file of the page. */
async function run(task: "clean" | "shrink"): Promise<void> {
  chosenTask.value = task;
  startTask();
  await appCalls.at(-1)?.end(`${task}.pdf`, 4, "application/pdf");
}

/** Protects the file, and saves the result. */
async function protectAndSave(): Promise<void> {
  trayFiles.value = [report];
  protect.password.value = "secret";
  chosenTask.value = "protect";
  startTask();
  expect(losesWithPage.value).toBe(true);
  await appCalls.at(-1)?.end("protected.pdf");
  expect(losesWithPage.value).toBe(true);
  for (const { isSaved } of currentOutputs.value) isSaved.value = true;
}

test("nothing is lost with an empty page", () => {
  expect(losesWithPage.value).toBe(false);
});

test("a file without a saved result is lost", () => {
  trayFiles.value = [report];
  expect(losesWithPage.value).toBe(true);
});

test("nothing is lost after all is saved", async () => {
  await protectAndSave();
  expect(losesWithPage.value).toBe(false);
});

test("a result that the page has gone on with is lost until it is saved", async () => {
  trayFiles.value = [report];
  await run("clean");
  const [cleaned] = currentOutputs.value;
  continueWith("shrink");
  for (const { inspection } of trayFiles.value) inspection.value = { format: "pdf", size: 4, pages: 25 };
  await run("shrink");
  for (const { isSaved } of currentOutputs.value) isSaved.value = true;
  expect(losesWithPage.value).toBe(true);
  if (cleaned !== undefined) cleaned.isSaved.value = true;
  expect(losesWithPage.value).toBe(false);
});

test.each<[string, () => void]>([
  ["a password", () => (protect.password.value = "another")],
  ["pages of a split", () => (report.pages.value = "3-5")],
  ["pages of a merge", () => (report.mergePages.value = "3-5")],
  ["a file", () => (trayFiles.value = [report, inspectedFile({ format: "pdf", size: 1, pages: 1 })])],
])("%s that came after the result is lost", async (_, change) => {
  await protectAndSave();
  change();
  expect(losesWithPage.value).toBe(true);
});
