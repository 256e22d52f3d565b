import { computed, effect, signal } from "@preact/signals";
import { isWorking, latestJobs } from "./jobs.ts";
import { taskResults } from "./results.ts";
import { needsPassword, task, taskFiles } from "./task.ts";
import type { Task } from "./task-list.ts";
import { type TrayFile, trayFiles } from "./tray.ts";

/**
 * Work is shown for at least so long, in milliseconds. The eye would miss less, and the second click of a double click would meet
 * what comes next.
 */
const SHORTEST_MS = 400;

/** Whether the page shows that jobs run. */
export const isWorkShown = signal(false);

/** The tasks whose results have the place of the stage. */
const shown = signal<ReadonlySet<Task>>(new Set());

/** Whether the result of the task of the page has the place of the stage. */
export const isResultShown = computed(
  () =>
    !isWorkShown.value &&
    task.value !== undefined &&
    shown.value.has(task.value) &&
    taskResults.value.length > 0,
);

/** Puts the result of the task of the page into the place of the stage. */
export function showResult(): void {
  if (task.value !== undefined) shown.value = new Set([...shown.value, task.value]);
}

/** Shows the stage of the task of the page again. */
export function hideResult(): void {
  shown.value = new Set([...shown.value].filter((one) => one !== task.value));
}

let known: ReadonlySet<TrayFile> = new Set();

// Who adds files wants to do something with them.
effect(() => {
  const files = trayFiles.value;
  if (files.some((file) => !known.has(file))) shown.value = new Set();
  known = new Set(files);
});

let since = 0;
let timer: ReturnType<typeof setTimeout> | undefined;

effect(() => {
  if (isWorking.value) {
    clearTimeout(timer);
    if (!isWorkShown.peek()) since = performance.now();
    isWorkShown.value = true;
  } else if (isWorkShown.peek()) {
    timer = setTimeout(end, Math.max(0, since + SHORTEST_MS - performance.now()));
  }
});

/** Shows the results of the work that has ended. */
function end(): void {
  const done = latestJobs.peek().filter(({ state }) => state.peek().kind === "done");
  shown.value = new Set([...shown.peek(), ...done.map((job) => job.task)]);
  isWorkShown.value = false;
}

/** What the user has chosen for a task. */
const chosenSheet = signal<{ readonly task: Task | undefined; readonly isOpen: boolean } | undefined>(
  undefined,
);

/**
 * Whether the options are shown. On a narrow screen they are a sheet over the stage, open where a password is typed.
 * A wide screen always shows them.
 */
export const isSheetOpen = computed(() => {
  if (chosenSheet.value !== undefined && chosenSheet.value.task === task.value)
    return chosenSheet.value.isOpen;
  return task.value === "protect" || taskFiles.value.some(needsPassword);
});

/** Opens or closes the options, until the task changes. */
export function setSheet(isOpen: boolean): void {
  chosenSheet.value = { task: task.value, isOpen };
}
