import { effect, signal } from "@preact/signals";
import { t } from "../messages/index.ts";
import { filesOf } from "../state/dropped-files.ts";
import { takeDropped } from "../state/inspect.ts";
import { attempt } from "../state/notice.ts";
import { chosenTask } from "../state/task.ts";
import { TASKS, type Task } from "../state/task-list.ts";
import { undo } from "../state/undo.ts";
import { keepFocus } from "./keep-focus.ts";

/** Where the browser undoes what is typed, and dialogs, which cover what the page would undo. */
const OWN_UNDO = "input:not([type=radio], [type=checkbox], [type=range], [type=file]), textarea, dialog";

/** Whether files are dragged over the page. */
export const isDraggedOver = signal(false);

/** Whether the main pointer is a finger. */
export function isTouch(): boolean {
  return matchMedia("(pointer: coarse)").matches;
}

/** Whether the options are a sheet over the stage (styles/workspace.css). */
export function isNarrow(): boolean {
  return matchMedia("(max-width: 52rem)").matches;
}

/** Connects the app with its window: drops, pastes, the address, the title, the focus, undo. */
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
    isDraggedOver.value = false;
    take(event, event.dataTransfer);
  });
  document.addEventListener("paste", (event) => take(event, event.clipboardData));
  keepFocus();
  addEventListener("hashchange", readAddress);
  readAddress();
  document.addEventListener("keydown", (event) => {
    if (isUndo(event) && undo()) event.preventDefault();
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

/** Takes the files of a drop or a paste, if it has any. */
function take(event: Event, transfer: DataTransfer | null): void {
  if (!hasFiles(transfer)) return;
  event.preventDefault();
  void attempt(filesOf(transfer).then(takeDropped), "notice.notRead");
}

/** Whether keys undo what the page has done: Ctrl+Z, or Cmd+Z on a Mac. A text field undoes its own letters. */
function isUndo({ key, ctrlKey, metaKey, shiftKey, altKey, target }: KeyboardEvent): boolean {
  if (key.toLowerCase() !== "z" || ctrlKey === metaKey || shiftKey || altKey) return false;
  return !(target instanceof Element && target.closest(OWN_UNDO));
}
