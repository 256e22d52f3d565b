import { beforeEach, expect, test, vi } from "vitest";
import { startTask } from "../../../../demo/state/calls.ts";
import { continueWith, goBack, nextTasks } from "../../../../demo/state/continue.ts";
import { jobs } from "../../../../demo/state/jobs.ts";
import { losesWithPage } from "../../../../demo/state/leaving.ts";
import { protect } from "../../../../demo/state/options.ts";
import { renameOutput } from "../../../../demo/state/outputs.ts";
import { earlier, removeFiles, startOver } from "../../../../demo/state/removal.ts";
import { currentOutputs, isCurrent } from "../../../../demo/state/results.ts";
import { chosenTask, task } from "../../../../demo/state/task.ts";
import type { Task } from "../../../../demo/state/task-list.ts";
import { trayFiles } from "../../../../demo/state/tray.ts";
import { forgetSteps, lastingRemovals, lastRemoval, makeFinal, undo } from "../../../../demo/state/undo.ts";
import { appCalls, released } from "../../../support/app-client.ts";
import { inspectedFile } from "../../../support/tray-files.ts";

vi.mock("../../../../demo/state/client.ts", () => import("../../../support/app-client.ts"));

const photos = ["one.png", "two.png"].map((name) =>
  inspectedFile({ format: "png", size: 4 }, new File(["png"], name)),
);

beforeEach(() => {
  startOver();
  forgetSteps();
  appCalls.length = 0;
  released.length = 0;
  trayFiles.value = photos;
});

/** Does a task with the files of the page. Its calls end with files of these names and types. */
async function run(chosen: Task, type: string, ...names: string[]): Promise<void> {
  chosenTask.value = chosen;
  const before = appCalls.length;
  startTask();
  for (const [index, name] of names.entries()) await appCalls[before + index]?.end(name, 4, type);
}

/** Continues with a task. The files are then known. */
function go(next: Task, format: "jpg" | "pdf"): void {
  continueWith(next);
  for (const { inspection } of trayFiles.value) {
    inspection.value = { format, size: 4, ...(format === "pdf" && { pages: 2 }) };
  }
}

function finishRemoval(): void {
  if (lastRemoval.value !== undefined) makeFinal(lastRemoval.value);
}

const names = () => trayFiles.value.map(({ file }) => file.name);

test("photos become one PDF that is protected, without saving in between", async () => {
  await run("convert", "image/jpeg", "one.jpg", "two.jpg");
  expect(nextTasks.value).toEqual(["merge", "shrink"]);
  const [first] = currentOutputs.value;
  if (first !== undefined) renameOutput(first, "lake");
  go("merge", "jpg");
  expect([names(), task.value, jobs.value]).toEqual([["lake.jpg", "two.jpg"], "merge", []]);
  await run("merge", "application/pdf", "lake.pdf");
  expect(nextTasks.value).toEqual(["protect", "shrink", "organize", "convert"]);
  go("protect", "pdf");
  expect([names(), task.value]).toEqual([["lake.pdf"], "protect"]);
  expect([earlier.value.length, released]).toEqual([2, []]);
});

test("goes back to the earlier result, and keeps the later one until that is final", async () => {
  await run("convert", "image/jpeg", "one.jpg", "two.jpg");
  go("merge", "jpg");
  await run("merge", "application/pdf", "one.pdf");
  goBack();
  expect([trayFiles.value, task.value, earlier.value]).toEqual([photos, "convert", []]);
  expect(jobs.value.map(isCurrent)).toEqual([true, true]);
  expect(currentOutputs.value.map(({ file }) => file.value.name)).toEqual(["one.jpg", "two.jpg"]);
  undo();
  expect([names(), task.value, earlier.value.length]).toEqual([["one.jpg", "two.jpg"], "merge", 1]);
  expect(currentOutputs.value.map(({ file }) => file.value.name)).toEqual(["one.pdf"]);
  expect(released).toEqual([]);
});

test("a later result that is not saved stays until it is back, or all is removed", async () => {
  await run("convert", "image/jpeg", "one.jpg", "two.jpg");
  for (const { isSaved } of currentOutputs.value) isSaved.value = true;
  go("merge", "jpg");
  await run("merge", "application/pdf", "one.pdf");
  goBack();
  const [back] = lastingRemovals.value;
  expect([back, back?.toast]).toEqual([lastRemoval.value, "tray.wentBack"]);
  expect(losesWithPage.value).toBe(true);
  removeFiles(photos.slice(1));
  finishRemoval();
  expect([lastRemoval.value, released]).toEqual([back, ["two.jpg"]]);
  startOver();
  expect(lastingRemovals.value).toEqual([]);
  undo();
  expect(lastingRemovals.value).toEqual([back]);
  startOver();
  finishRemoval();
  expect([lastRemoval.value, released.toSorted()]).toEqual([undefined, ["one.jpg", "one.pdf", "two.jpg"]]);
});

test("a later result that is not saved is kept when the user goes on from the earlier one", async () => {
  await run("convert", "image/jpeg", "one.jpg", "two.jpg");
  for (const { isSaved } of currentOutputs.value) isSaved.value = true;
  go("merge", "jpg");
  await run("merge", "application/pdf", "one.pdf");
  goBack();
  const [back] = lastingRemovals.value;
  go("shrink", "jpg");
  expect([lastRemoval.value, losesWithPage.value, released]).toEqual([undefined, true, []]);
  goBack();
  expect(lastingRemovals.value).toEqual([back]);
  undo(back);
  expect(currentOutputs.value.map(({ file }) => file.value.name)).toEqual(["one.pdf"]);
  startOver();
  forgetSteps();
  expect(released.toSorted()).toEqual(["one.jpg", "one.pdf", "two.jpg"]);
});

test("a later result that is saved does not last, and says that jobs were cancelled", async () => {
  await run("convert", "image/jpeg", "one.jpg", "two.jpg");
  go("merge", "jpg");
  await run("merge", "application/pdf", "one.pdf");
  for (const { isSaved } of currentOutputs.value) isSaved.value = true;
  await run("shrink", "image/jpeg");
  goBack();
  expect([lastingRemovals.value, lastRemoval.value?.toast]).toEqual([[], "tray.wentBackStopped"]);
  finishRemoval();
  expect(released).toEqual(["one.pdf"]);
});

test("no password gets into the next file, and a protected file is the end", async () => {
  trayFiles.value = [inspectedFile({ format: "pdf", size: 4, pages: 2 }, new File(["pdf"], "a.pdf"))];
  protect.password.value = "secret";
  await run("protect", "application/pdf", "protected-a.pdf");
  expect(nextTasks.value).toEqual([]);
  await run("clean", "application/pdf", "cleaned-a.pdf");
  go("protect", "pdf");
  expect([names(), protect.password.value]).toEqual([["cleaned-a.pdf"], ""]);
});

test("starting over takes the earlier results, too, and undoing brings them back", async () => {
  await run("convert", "image/jpeg", "one.jpg", "two.jpg");
  go("merge", "jpg");
  startOver();
  expect([trayFiles.value, earlier.value]).toEqual([[], []]);
  undo();
  expect([names(), earlier.value.length]).toEqual([["one.jpg", "two.jpg"], 1]);
  startOver();
  forgetSteps();
  expect(released).toEqual(["one.jpg", "two.jpg"]);
});
