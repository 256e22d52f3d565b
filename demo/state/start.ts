import { problems, showsAllProblems } from "./checks.ts";
import { startable, startTask } from "./jobs.ts";
import { allSeen } from "./look.ts";
import { isSheetOpen } from "./sheet.ts";

/** Starts the task, or shows what is missing and goes to the first field of it. */
export async function start(): Promise<void> {
  // A password may just have been typed.
  await allSeen();
  if (startable.value.length === 0) return;
  const [problem] = problems.value;
  showsAllProblems.value = problem !== undefined;
  // The rows show how the work goes, and the options show what is wrong.
  isSheetOpen.value = problem !== undefined;
  if (problem === undefined) startTask();
  // After the message is on the page.
  else requestAnimationFrame(() => focusField(problem.field));
}

/** Moves the focus to a field, and shows it. */
export function focusField(id: string): void {
  isSheetOpen.value = true;
  const field = document.getElementById(id);
  const details = field?.closest("details");
  if (details) details.open = true;
  field?.focus();
}
