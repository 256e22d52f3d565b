import { computed } from "@preact/signals";
import { isWorking, jobs } from "./jobs.ts";
import { protect, split } from "./options.ts";
import { isOrganized } from "./organize.ts";
import { earlier } from "./removal.ts";
import { hasUnsaved, isCurrent, isSaved, results } from "./results.ts";
import { filesFor } from "./task.ts";
import type { Task } from "./task-list.ts";
import { type TrayFile, trayFiles } from "./tray.ts";
import { lastingRemovals } from "./undo.ts";

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
    !trayFiles.value.every(hasSavedResult) ||
    (["protect", "organize", "split", "merge"] as const).some((task) => isTyped(task) && !isDone(task)),
);

function hasSavedResult(file: TrayFile): boolean {
  return results.value.some((result) => isSaved(result) && result.job.files.includes(file));
}

/** Whether the user has typed passwords or pages for a task. */
function isTyped(task: "protect" | "organize" | "split" | "merge"): boolean {
  switch (task) {
    case "protect":
      return [protect.password, protect.repeated, protect.ownerPassword].some(({ value }) => value !== "");
    case "organize":
      return isOrganized.value;
    case "split":
      return split.shared.value !== "" || trayFiles.value.some(({ pages }) => pages.value !== "");
    case "merge":
      return trayFiles.value.some(({ mergePages }) => mergePages.value !== "");
  }
}

/** Whether all files of a task have a saved result of the present options. */
function isDone(task: Task): boolean {
  const done = jobs.value.filter(
    (job) => job.task === task && job.state.value.kind === "done" && isCurrent(job),
  );
  const files = new Set(done.flatMap((job) => job.files));
  return filesFor(task).every((file) => files.has(file));
}
