// Without imports, because the build reads it, too (scripts/offline.mjs).

/** The tasks. Each is also an address of the page: `#split`. */
export const TASKS = [
  "protect",
  "unlock",
  "organize",
  "split",
  "merge",
  "shrink",
  "clean",
  "convert",
] as const;

/** The name of a task. */
export type Task = (typeof TASKS)[number];

/** Whether a task makes one result of all files. Others make one for each file. */
export function isJoint(task: Task): boolean {
  return task === "merge" || task === "organize";
}
