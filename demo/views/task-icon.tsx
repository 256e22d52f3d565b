import type { Task } from "../state/task-list.ts";

/** The lines of each icon, on a square of 24. */
const PATHS: Readonly<Record<Task, string>> = {
  // A closed lock, and an open one.
  protect: "M4 11h16v10H4zM8 11V7.5a4 4 0 0 1 8 0V11",
  unlock: "M4 11h16v10H4zM8 11V6.5a4 4 0 0 1 7.8-1.3",
  // Two parts of a page, and a cut between them.
  split: "M4 4h16v5H4zM4 15h16v5H4zM3 12h3m3 0h2m2 0h2m3 0h3",
  // Two pages that become one.
  merge: "M4 4h6v8H4zM14 4h6v8h-6zM7 12v4h10v-4M12 16v5m-2-2 2 2 2-2",
  // Two arrows in a circle.
  convert: "M5 9a7.5 7.5 0 0 1 13-2l1 1.5M19 4v4.5h-4.5M19 15a7.5 7.5 0 0 1-13 2l-1-1.5M5 20v-4.5h4.5",
};

/** A line drawing of a task. */
export function TaskIcon({ task }: { readonly task: Task }) {
  return (
    <svg class="task-icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={PATHS[task]} />
    </svg>
  );
}
