import { problems, showsAllProblems } from "./checks.ts";
import { retry, startable, startTask } from "./jobs.ts";
import { allSeen } from "./inspect.ts";
import { isSheetOpen } from "./sheet.ts";
import { wishedFile } from "./task.ts";
import type { TrayFile } from "./tray.ts";

/** Starts the task, if its options are right. */
export async function start(): Promise<void> {
  if (startable.value.length > 0 && (await isReady())) startTask();
}

/** Starts the task again with one file, if its options are right. */
export async function startAgain(file: TrayFile): Promise<void> {
  if (await isReady()) retry(file);
}

/** Returns whether all options are right. If not, shows what is wrong and goes to the first field of it. */
async function isReady(): Promise<boolean> {
  // A password may just have been typed.
  await allSeen();
  const [problem] = problems.value;
  showsAllProblems.value = problem !== undefined;
  // The rows show how the work goes, and the options show what is wrong.
  isSheetOpen.value = problem !== undefined;
  if (problem?.file !== undefined) wishedFile.value = problem.file;
  // After the message is on the page.
  if (problem !== undefined) requestAnimationFrame(() => focusField(problem.field));
  return problem === undefined;
}

/** Moves the focus to a field, and shows it. */
export function focusField(id: string): void {
  isSheetOpen.value = true;
  const field = document.getElementById(id);
  const details = field?.closest("details");
  if (details) details.open = true;
  field?.focus();
}
