import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { cancelAll, startTask } from "../../../../demo/state/calls.ts";
import { protect } from "../../../../demo/state/options.ts";
import { startOver } from "../../../../demo/state/removal.ts";
import { hideResult, isResultShown, isWorkShown, showResult } from "../../../../demo/state/shown-result.ts";
import { chosenTask } from "../../../../demo/state/task.ts";
import { trayFiles } from "../../../../demo/state/tray.ts";
import { appCalls } from "../../../support/app-client.ts";
import { inspectedFile } from "../../../support/tray-files.ts";

vi.mock("../../../../demo/state/client.ts", () => import("../../../support/app-client.ts"));

const report = () => inspectedFile({ format: "pdf", size: 4, pages: 2 }, new File(["report"], "report.pdf"));

beforeEach(() => {
  startOver();
  vi.useFakeTimers();
  appCalls.length = 0;
  trayFiles.value = [report()];
  protect.password.value = "secret";
  chosenTask.value = "protect";
});

afterEach(() => {
  cancelAll();
  vi.advanceTimersByTime(400);
  vi.useRealTimers();
});

/** Starts the task, and ends its only call after some time. */
async function run(milliseconds = 1000): Promise<void> {
  startTask();
  vi.advanceTimersByTime(milliseconds);
  const ended = appCalls.at(-1)?.end("protected.pdf");
  await vi.advanceTimersByTimeAsync(0);
  await ended;
}

test("shows work for at least 400 ms, and then the result", async () => {
  await run(10);
  expect([isWorkShown.value, isResultShown.value]).toEqual([true, false]);
  vi.advanceTimersByTime(380);
  expect(isWorkShown.value).toBe(true);
  vi.advanceTimersByTime(20);
  expect([isWorkShown.value, isResultShown.value]).toEqual([false, true]);
});

test("goes back to the stage, and to the result again", async () => {
  await run();
  await vi.advanceTimersByTimeAsync(0);
  expect(isResultShown.value).toBe(true);
  hideResult();
  expect(isResultShown.value).toBe(false);
  showResult();
  expect(isResultShown.value).toBe(true);
});

test("shows the result of the task of the page alone, and the stage for a new file", async () => {
  await run();
  await vi.advanceTimersByTimeAsync(0);
  chosenTask.value = "clean";
  expect(isResultShown.value).toBe(false);
  chosenTask.value = "protect";
  expect(isResultShown.value).toBe(true);
  trayFiles.value = [...trayFiles.value, report()];
  expect(isResultShown.value).toBe(false);
});

test("shows no result of work that was cancelled or has failed", async () => {
  startTask();
  cancelAll();
  vi.advanceTimersByTime(400);
  expect([isWorkShown.value, isResultShown.value]).toEqual([false, false]);
  startTask();
  const failed = appCalls.at(-1)?.fail(new Error("no"));
  await vi.advanceTimersByTimeAsync(400);
  await failed;
  expect([isWorkShown.value, isResultShown.value]).toEqual([false, false]);
});
