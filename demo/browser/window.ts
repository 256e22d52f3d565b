import { effect, signal } from "@preact/signals";
import { t } from "../messages/index.ts";
import { filesOf } from "../state/dropped-files.ts";
import { takeFiles } from "../state/inspect.ts";
import { hasUnsaved, isWorking } from "../state/jobs.ts";
import { attempt } from "../state/notice.ts";
import { chosenTask } from "../state/task.ts";
import { TASKS, type Task } from "../state/task-list.ts";

/** Whether files are dragged over the page. */
export const isDraggedOver = signal(false);

/** Whether the main pointer is a finger. */
export function isTouch(): boolean {
  return matchMedia("(pointer: coarse)").matches;
}

/** Connects the app with its window: drops, pastes, the address, the title, the question before it is closed. */
export function startWindow(): void {
  document.addEventListener("dragover", (event) => {
    if (!hasFiles(event.dataTransfer)) return;
    event.preventDefault();
    isDraggedOver.value = true;
  });
  document.addEventListener("dragleave", ({ relatedTarget }) => {
    if (relatedTarget === null) isDraggedOver.value = false;
  });
  document.addEventListener("drop", (event) => {
    if (!hasFiles(event.dataTransfer)) return;
    event.preventDefault();
    isDraggedOver.value = false;
    void attempt(take(event.dataTransfer), "notice.notRead");
  });
  document.addEventListener("paste", (event) => {
    if (!hasFiles(event.clipboardData)) return;
    event.preventDefault();
    void attempt(take(event.clipboardData), "notice.notRead");
  });
  addEventListener("hashchange", readAddress);
  readAddress();
  addEventListener("beforeunload", (event) => {
    if (hasUnsaved.value || isWorking.value) event.preventDefault();
  });
  effect(() => {
    document.title = t("app.title");
  });
}

/** Chooses a task, and puts it into the address. */
export function chooseTask(task: Task): void {
  chosenTask.value = task;
  history.replaceState(null, "", `#${task}`);
}

function readAddress(): void {
  const name = location.hash.slice(1);
  chosenTask.value = TASKS.find((task) => task === name) ?? chosenTask.value;
}

function hasFiles(transfer: DataTransfer | null): transfer is DataTransfer {
  return transfer?.types.includes("Files") === true;
}

async function take(transfer: DataTransfer): Promise<void> {
  takeFiles(await filesOf(transfer));
}
