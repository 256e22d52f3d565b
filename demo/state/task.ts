import { computed, signal } from "@preact/signals";
import { canBecome, type FileKind, kindOf, type TargetFormat } from "./formats.ts";
import { serviceUrl } from "./service.ts";
import { isJoint, TASKS, type Task } from "./task-list.ts";
import { type TrayFile, trayFiles } from "./tray.ts";

const hasService = serviceUrl !== undefined;

/** The task that the user has chosen, if any. {@link task} is another one if no file takes it. */
export const chosenTask = signal<Task | undefined>(undefined);

/** Returns the kind of a file. Undefined until the file is inspected, and if it cannot be used. */
export function fileKind({ inspection }: TrayFile): FileKind | undefined {
  const format = inspection.value?.format;
  return format && kindOf(format);
}

/** Whether a PDF does not open without a password. */
export function isLocked({ inspection }: TrayFile): boolean {
  const { encrypted, opens_with_empty_password: opens } = inspection.value ?? {};
  return encrypted === true && opens !== true;
}

/** Whether the password of a file is still needed. */
export function needsPassword(file: TrayFile): boolean {
  return isLocked(file) && file.password.value === "";
}

/** Whether a task can be done with a file. */
function takesTask(file: TrayFile, task: Task): boolean {
  const kind = fileKind(file);
  if (kind === undefined) return false;
  switch (task) {
    case "protect":
      // A protected file is unlocked first.
      return kind === "pdf" && file.inspection.value?.encrypted !== true;
    case "split":
    case "clean":
      return kind === "pdf";
    case "unlock":
      return kind === "pdf" && file.inspection.value?.encrypted === true;
    case "merge":
      return kind !== "office";
    case "organize":
      // The number of pages of a very large PDF is not known.
      return (
        kind === "image" || (kind === "pdf" && (isLocked(file) || file.inspection.value?.pages !== undefined))
      );
    case "shrink":
      return kind === "pdf" || (kind === "image" && (file.inspection.value?.images ?? 1) === 1);
    case "convert":
      return kind !== "office" || hasService;
  }
}

/** The tasks that at least one file takes. Merging takes two. */
export const offeredTasks = computed(() =>
  TASKS.filter((task) => {
    const count = trayFiles.value.filter((file) => takesTask(file, task)).length;
    return count >= (task === "merge" ? 2 : 1);
  }),
);

/** The task of the page: the choice of the user if a file takes it, or the one that suits the files. */
export const task = computed<Task | undefined>(() => {
  const offered = offeredTasks.value;
  const chosen = chosenTask.value;
  if (chosen !== undefined && offered.includes(chosen)) return chosen;
  return suggestion(trayFiles.value, offered);
});

/** The task that the user has chosen, if the files do not take it. Undefined while a file is inspected. */
export const refusedTask = computed<Task | undefined>(() => {
  const chosen = chosenTask.value;
  if (chosen === undefined || offeredTasks.value.includes(chosen)) return undefined;
  return trayFiles.value.some(isBeingInspected) ? undefined : chosen;
});

/** Whether a file is being inspected. */
export function isBeingInspected({ inspection, problem }: TrayFile): boolean {
  return inspection.value === undefined && problem.value === undefined;
}

/** The files that the task of the page is done with, in order. */
export const taskFiles = computed(() => (task.value === undefined ? [] : filesFor(task.value)));

/** Returns the files that a task is done with, in order. */
export function filesFor(task: Task): readonly TrayFile[] {
  return trayFiles.value.filter((file) => isFor(task, file));
}

/** Whether the task of the page is done with a file. */
export function isTaskFile(file: TrayFile): boolean {
  return task.value !== undefined && isFor(task.value, file);
}

/** Whether a file is known, and the task of the page does not use it. Without a task, none is put aside. */
export function isAside(file: TrayFile): boolean {
  return task.value !== undefined && fileKind(file) !== undefined && !isTaskFile(file);
}

/** Whether a task is done with a file: converting only with those that the format to convert to is made of. */
function isFor(task: Task, file: TrayFile): boolean {
  return takesTask(file, task) && (task !== "convert" || becomesTarget(file));
}

/** Returns the files of each job of a task: one job has all files of a joint task, and each file of any other has its own. */
export function filesOfJobs(task: Task): readonly (readonly TrayFile[])[] {
  const files = filesFor(task);
  if (!isJoint(task)) return files.map((file) => [file]);
  return files.length > 0 ? [files] : [];
}

/** The format that the user has chosen to convert to. */
export const chosenFormat = signal<TargetFormat | undefined>(undefined);

/** The kinds of the files that can be converted. */
export const convertibleKinds = computed(
  () => new Set(trayFiles.value.filter((file) => takesTask(file, "convert")).map(fileKind)),
);

/** The format to convert to: the choice of the user, or JPG, which a JPG stays. */
export const targetFormat = computed<TargetFormat>(() => {
  const kinds = [...convertibleKinds.value];
  const becomes = (format: TargetFormat) => kinds.some((kind) => kind && canBecome(kind, format, hasService));
  const chosen = chosenFormat.value;
  if (chosen !== undefined && becomes(chosen)) return chosen;
  return kinds.every((kind) => kind === "office") ? "pdf" : "jpg";
});

function becomesTarget(file: TrayFile): boolean {
  const kind = fileKind(file);
  return kind !== undefined && canBecome(kind, targetFormat.value, hasService);
}

/** The file that the user has chosen to see, if any. */
export const chosenFile = signal<TrayFile | undefined>(undefined);

/** The files that the page can show, in order. Images to merge have no pages to choose. */
const showableFiles = computed(() =>
  taskFiles.value.filter((file) => task.value !== "merge" || fileKind(file) === "pdf"),
);

/** The file whose pages or pictures the page shows: the choice of the user, or the first one of the task. */
export const shownFile = computed(() => {
  const shown = showableFiles.value;
  return shown.find((file) => file === chosenFile.value) ?? shown[0];
});

function suggestion(files: readonly TrayFile[], offered: readonly Task[]): Task | undefined {
  const known = files.filter((file) => fileKind(file) !== undefined);
  const pdfs = known.filter((file) => fileKind(file) === "pdf");
  if (pdfs.length > 0 && pdfs.every(isLocked) && offered.includes("unlock")) return "unlock";
  if (pdfs.length > 1 && offered.includes("merge")) return "merge";
  if (pdfs.length === 1 && known.length === 1) {
    return (pdfs[0]?.inspection.value?.pages ?? 0) > 1 ? "split" : "protect";
  }
  return offered.includes("convert") ? "convert" : offered[0];
}
