import { computed } from "@preact/signals";
import { isWorking } from "./jobs.ts";
import { protect, split } from "./options.ts";
import { isOrganized } from "./organize.ts";
import { earlier } from "./removal.ts";
import { hasUnsaved, isCurrent, isSaved, results } from "./results.ts";
import { filesFor } from "./task.ts";
import { TASKS, type Task } from "./task-list.ts";
import { type TrayFile, trayFiles } from "./tray.ts";
import { lastingRemovals } from "./undo.ts";

/** What the user types for a task: passwords, or pages. */
const TYPED: Readonly<Partial<Record<Task, () => boolean>>> = {
  protect: () =>
    [protect.password, protect.repeated, protect.ownerPassword].some(({ value }) => value !== ""),
  organize: () => isOrganized.value,
  split: () => split.shared.value !== "" || trayFiles.value.some(({ pages }) => pages.value !== ""),
  merge: () => trayFiles.value.some(({ mergePages }) => mergePages.value !== ""),
};

/**
 * Whether something would be lost with the page: a result, also one that is set aside, a job, a file without a saved result, or
 * typed options.
 */
export const losesWithPage = computed(
  () =>
    isWorking.value ||
    hasUnsaved.value ||
    earlier.value.some((aside) => aside.hasUnsaved()) ||
    lastingRemovals.value.length > 0 ||
    !trayFiles.value.every((file) =>
      results.value.some((one) => isSaved(one) && one.job.files.includes(file)),
    ) ||
    TASKS.some((task) => TYPED[task]?.() && !filesFor(task).every((file) => isDone(task, file))),
);

/** Whether a file has a result of a task and its present options. */
function isDone(task: Task, file: TrayFile): boolean {
  return results.value.some(({ job }) => job.task === task && job.files.includes(file) && isCurrent(job));
}
