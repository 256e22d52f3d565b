// Without imports, because the build reads it, too (scripts/offline.mjs).

/** The tasks. Each is also an address of the page: `#split`. */
export const TASKS = ["protect", "unlock", "split", "merge", "shrink", "clean", "convert"] as const;

/** The name of a task. */
export type Task = (typeof TASKS)[number];
