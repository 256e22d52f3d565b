import { beforeEach, expect, test, vi } from "vitest";
import { startTask } from "../../../../demo/state/calls.ts";
import { problemAt, showProblemsAt } from "../../../../demo/state/checks.ts";
import { isWorking, jobs, tally } from "../../../../demo/state/jobs.ts";
import { losesWithPage } from "../../../../demo/state/leaving.ts";
import { notice } from "../../../../demo/state/notice.ts";
import { convert, protect, split } from "../../../../demo/state/options.ts";
import { movePages, organizedPages, turnPages } from "../../../../demo/state/organize.ts";
import { removeFiles, startOver } from "../../../../demo/state/removal.ts";
import { isCurrent } from "../../../../demo/state/results.ts";
import { chosenTask } from "../../../../demo/state/task.ts";
import { type TrayFile, trayFileOf, trayFiles } from "../../../../demo/state/tray.ts";
import { lastRemoval, makeFinal, undo } from "../../../../demo/state/undo.ts";
import { appCalls, released } from "../../../support/app-client.ts";
import { inspectedFile } from "../../../support/tray-files.ts";

vi.mock("../../../../demo/state/client.ts", () => import("../../../support/app-client.ts"));

let report: TrayFile;
let letter: TrayFile;

beforeEach(() => {
  startOver();
  if (lastRemoval.value) makeFinal(lastRemoval.value);
  appCalls.length = 0;
  released.length = 0;
  report = inspectedFile({ format: "pdf", size: 4, pages: 25 }, new File(["report"], "report.pdf"));
  letter = inspectedFile({ format: "pdf", size: 4, pages: 2 }, new File(["letter"], "letter.pdf"));
  trayFiles.value = [report, letter];
});

async function merge(name?: string): Promise<void> {
  chosenTask.value = "merge";
  startTask();
  if (name !== undefined) await appCalls.at(-1)?.end(name);
}

function typeEverything(): void {
  protect.password.value = "secret";
  protect.repeated.value = "secret";
  protect.ownerPassword.value = "owner";
  protect.isShown.value = true;
  split.shared.value = "1-2";
  notice.value = { message: "notice.notRead" };
}

const typed = () =>
  [protect.password, protect.repeated, protect.ownerPassword, split.shared].map(({ value }) => value);

test("starting over leaves nothing: no result, no job, no password, no selection, no message", async () => {
  typeEverything();
  await merge("merged.pdf");
  chosenTask.value = "protect";
  showProblemsAt("protect-password");
  startTask();
  startOver();
  expect([trayFiles.value, jobs.value, isWorking.value]).toEqual([[], [], false]);
  expect(appCalls.slice(1).every(({ signal }) => signal?.aborted)).toBe(true);
  expect(typed()).toEqual(["", "", "", ""]);
  expect([protect.isShown.value, notice.value]).toEqual([false, undefined]);
  expect(tally.value).toEqual({ total: 0, ready: 0, failed: 0 });
  expect(losesWithPage.value).toBe(false);
  trayFiles.value = [inspectedFile({ format: "pdf", size: 4, pages: 1 })];
  expect(problemAt("protect-password")).toBeUndefined();
});

test("ends a running merge whose file is removed", async () => {
  await merge();
  removeFiles([letter]);
  expect(appCalls[0]?.signal?.aborted).toBe(true);
  expect(jobs.value).toEqual([]);
});

test("keeps the result of a merge as an earlier one while one of its files is there", async () => {
  await merge("merged.pdf");
  removeFiles([letter]);
  expect(jobs.value.map(isCurrent)).toEqual([false]);
  removeFiles([report]);
  expect(jobs.value).toEqual([]);
  undo();
  undo();
  expect(jobs.value.map(isCurrent)).toEqual([true]);
});

test("undoing brings back results and passwords, and makes the results current again", async () => {
  protect.password.value = "secret";
  chosenTask.value = "protect";
  startTask();
  for (const call of appCalls) await call.end("protected.pdf");
  startOver();
  expect(released).toEqual([]);
  undo();
  expect(trayFiles.value).toEqual([report, letter]);
  expect(jobs.value.map(isCurrent)).toEqual([true, true]);
  expect(protect.password.value).toBe("secret");
});

test.each([
  ["a file that was added since", () => inspectedFile({ format: "pdf", size: 4, pages: 1 })],
  ["a file that is still inspected", () => trayFileOf(new File(["new"], "new.pdf"))],
])("a password never comes back for %s", (_, added) => {
  typeEverything();
  startOver();
  trayFiles.value = [added()];
  undo();
  expect(trayFiles.value.length).toBe(3);
  expect(typed()).toEqual(["", "", "", ""]);
});

test("the next files do not keep their metadata, and undoing brings the choice back for the files before", () => {
  convert.keepsMetadata.value = true;
  removeFiles([letter]);
  expect(convert.keepsMetadata.value).toBe(true);
  removeFiles([report]);
  expect(convert.keepsMetadata.value).toBe(false);
  undo();
  expect(convert.keepsMetadata.value).toBe(true);
  startOver();
  trayFiles.value = [letter];
  undo();
  expect(convert.keepsMetadata.value).toBe(false);
});

test("the last PDF takes the passwords with it, also if a picture is left", () => {
  trayFiles.value = [report, letter, inspectedFile({ format: "png", size: 4 })];
  protect.password.value = "secret";
  removeFiles([report]);
  expect(protect.password.value).toBe("secret");
  removeFiles([letter]);
  expect(protect.password.value).toBe("");
  undo();
  expect(protect.password.value).toBe("secret");
});

test("frees results when the removal is final", async () => {
  await merge("merged.pdf");
  startOver();
  if (lastRemoval.value) makeFinal(lastRemoval.value);
  expect(released).toEqual(["merged.pdf"]);
  expect(undo()).toBe(false);
});

test("a final removal leaves the steps of before that are about other files, too, and no password", () => {
  const ids = () => organizedPages.value.map(({ id }) => id);
  const before = ids();
  report.password.value = "secret";
  turnPages(new Set(before), 90);
  movePages(new Set([`${letter.id}-2`]), 0);
  removeFiles([report]);
  if (lastRemoval.value) makeFinal(lastRemoval.value);
  expect(report.password.value).toBe("");
  expect(ids()).toEqual([`${letter.id}-2`, `${letter.id}-1`]);
  undo();
  expect(ids()).toEqual([`${letter.id}-1`, `${letter.id}-2`]);
  expect(organizedPages.value.map(({ turn }) => turn)).toEqual([90, 90]);
  removeFiles([letter]);
  if (lastRemoval.value) makeFinal(lastRemoval.value);
  expect(undo()).toBe(false);
});
