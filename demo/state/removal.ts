import { batch, type Signal, signal } from "@preact/signals";
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

/**
 * Returns what forgets options that are about files, once there are none of these. That returns what brings the options back,
 * but never for files that were added since.
 */
function forgetting<Value>(
  options: readonly Signal<Value>[],
  empty: Value,
  files: () => readonly TrayFile[],
) {
  return () => {
    if (files().length > 0) return () => {};
    const putBack = snapshot(options);
    for (const option of options) option.value = empty;
    return () => {
      // A file that is being inspected may be one of these.
      if (files().length === 0 && !trayFiles.value.some(isBeingInspected)) putBack();
    };
  };
}

/** Forget what is typed for all files of a task, beside what each file has of its own. Other options of the tasks stay. */
const FORGETS = [
  forgetting([protect.password, protect.repeated, protect.ownerPassword], "", () => filesFor("protect")),
  forgetting([split.shared], "", () => filesFor("split")),
  // No metadata of the next files are kept.
  forgetting([convert.keepsMetadata], false, () => trayFiles.value),
];

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
  const retypes = FORGETS.map((forget) => forget());
  if (filesFor("organize").length === 0) retypes.push(forgetOrder());
  if (trayFiles.value.length === 0) forgetMessages();
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
