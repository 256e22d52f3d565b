import { retry, startTask } from "../state/calls.ts";
import { problems, showProblemsAt } from "../state/checks.ts";
import { allInspected } from "../state/inspect.ts";
import { startable } from "../state/results.ts";
import { hideResult, setSheet } from "../state/shown-result.ts";
import { chosenFile, task } from "../state/task.ts";
import type { TrayFile } from "../state/tray.ts";

/** Starts the task, if its options have no problem. */
export async function start(): Promise<void> {
  if (!(await isReady()) || startable.value.length === 0) return;
  startTask();
  // It is now the progress.
  document.getElementById("start")?.focus();
}

/** Starts the task again with one file, or the merge, if the options have no problem. */
export async function startAgain(file?: TrayFile): Promise<void> {
  if (await isReady()) retry(file);
}

/**
 * Returns whether the options have no problem. Otherwise shows the problems and focuses the first field. If the task changes while
 * it waits, it does nothing and returns false.
 */
async function isReady(): Promise<boolean> {
  const before = task.peek();
  // A password may just have been typed.
  await allInspected();
  if (task.peek() !== before) return false;
  const [problem] = problems.value;
  for (const { field } of problems.value) showProblemsAt(field);
  // The rows show how the work goes, and the options show what is wrong.
  setSheet(problem !== undefined);
  if (problem?.file !== undefined) chosenFile.value = problem.file;
  if (problem !== undefined) showField(problem.field);
  return problem === undefined;
}

/** Shows the options in the place of a result, and moves the focus to one of their fields. */
export function showField(id: string): void {
  hideResult();
  // After the field and its message are on the page.
  requestAnimationFrame(() => focusField(id));
}

/** Moves the focus to a field, and shows it. */
export function focusField(id: string): void {
  setSheet(true);
  const field = document.getElementById(id);
  const details = field?.closest("details");
  if (details) details.open = true;
  field?.focus();
}
