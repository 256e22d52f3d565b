import { batch, signal } from "@preact/signals";
import { takeJobsOf } from "./calls.ts";
import { forgetProblems } from "./checks.ts";
import { bringBack } from "./jobs.ts";
import { notice } from "./notice.ts";
import { convert, protect, split } from "./options.ts";
import { forgetOrder } from "./organize.ts";
import { isSaved, release, resultOf } from "./results.ts";
import { chosenFile, chosenTask, filesFor, isBeingInspected } from "./task.ts";
import type { Task } from "./task-list.ts";
import { freeThumbnails } from "./thumbnails.ts";
import { type TrayFile, takeOut, trayFiles } from "./tray.ts";
import { addStep, snapshot } from "./undo.ts";

/** What is typed for all files of a task, beside what each file has of its own. The options of the tasks stay. */
const TYPED = {
  protect: [protect.password, protect.repeated, protect.ownerPassword],
  split: [split.shared],
} as const;

/** Files that are out of the tray, with all that was made of them and typed for them. */
export interface Aside {
  readonly files: readonly TrayFile[];
  /** The task that the page had. */
  readonly task: Task | undefined;
  /** Whether one of the results is not saved. */
  hasUnsaved(): boolean;
  putBack(): void;
  /** Frees it. It cannot be put back any more. */
  discard(): void;
}

/** What was set aside to continue with its result, from the first. */
export const earlier = signal<readonly Aside[]>([]);

/**
 * Removes files with their results, and ends their jobs. The last file takes what was set aside with it. {@link undo} brings
 * it back.
 */
export function removeFiles(files: readonly TrayFile[]): void {
  if (files.length === 0) return;
  batch(() => {
    const removed = setAside(files);
    const isOfAll = trayFiles.value.length === 0;
    const before = isOfAll ? earlier.value : [];
    if (before.length > 0) earlier.value = [];
    addStep({
      undo: () => {
        removed.putBack();
        earlier.value = [...before, ...earlier.value];
      },
      message: "undone.removal",
      values: { count: files.length },
      files,
      isRemoval: true,
      isOfAll,
      discard: () => {
        for (const one of [removed, ...before]) one.discard();
      },
    });
  });
}

/**
 * Takes files out of the tray with their results, and ends their jobs. The last file of a task takes everything with it that was
 * typed for the task, so that no password gets into another file.
 */
export function setAside(files: readonly TrayFile[]): Aside {
  const putBack = takeOut(files);
  const taken = takeJobsOf(files, trayFiles.value);
  const retypes = [forgetTyped("protect"), forgetTyped("split")];
  if (filesFor("organize").length === 0) retypes.push(forgetOrder());
  if (trayFiles.value.length === 0) {
    retypes.push(forgetMetadata());
    forgetMessages();
  }
  return {
    files,
    task: chosenTask.peek(),
    hasUnsaved: () => taken.flatMap(resultOf).some((result) => !isSaved(result)),
    putBack: () =>
      batch(() => {
        for (const retype of retypes) retype();
        putBack();
        bringBack(taken);
      }),
    discard: () => {
      taken.forEach(release);
      files.forEach(forgetFile);
    },
  };
}

/** Removes all files, and everything that was made of them or typed for them. */
export function startOver(): void {
  removeFiles(trayFiles.value);
}

/** Forgets what was typed for a task without files. Returns what brings it back, but never for files that were added since. */
function forgetTyped(task: keyof typeof TYPED): () => void {
  const hasFiles = () => filesFor(task).length > 0;
  if (hasFiles()) return () => {};
  const retype = snapshot(TYPED[task]);
  for (const text of TYPED[task]) text.value = "";
  return () => {
    // A file that is being inspected may be one of the task.
    if (!hasFiles() && !trayFiles.value.some(isBeingInspected)) retype();
  };
}

/** Keeps no metadata of the next files. Returns what brings the choice back, but never for files that were added since. */
function forgetMetadata(): () => void {
  const retick = snapshot([convert.keepsMetadata]);
  convert.keepsMetadata.value = false;
  return () => {
    if (trayFiles.value.length === 0) retick();
  };
}

/** Frees what a removed file has, which a step of before may still know. */
function forgetFile(file: TrayFile): void {
  freeThumbnails(file);
  file.password.value = "";
}

/** Forgets what the page says and shows about files. */
function forgetMessages(): void {
  protect.isShown.value = false;
  chosenFile.value = undefined;
  notice.value = undefined;
  forgetProblems();
}
