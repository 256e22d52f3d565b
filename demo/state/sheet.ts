import { computed, signal } from "@preact/signals";
import { needsPassword, task, taskFiles } from "./task.ts";
import type { Task } from "./task-list.ts";

/** What the user has chosen for a task. */
const chosen = signal<{ readonly task: Task | undefined; readonly isOpen: boolean } | undefined>(undefined);

/**
 * Whether the options are shown. On a narrow screen they are a sheet over the stage, open where a password is typed.
 * A wide screen always shows them.
 */
export const isSheetOpen = computed(() => {
  if (chosen.value !== undefined && chosen.value.task === task.value) return chosen.value.isOpen;
  return task.value === "protect" || taskFiles.value.some(needsPassword);
});

/** Opens or closes the options, until the task changes. */
export function setSheet(isOpen: boolean): void {
  chosen.value = { task: task.value, isOpen };
}
