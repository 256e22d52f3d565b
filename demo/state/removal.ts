import { batch, type Signal } from "@preact/signals";
import { forgetProblems } from "./checks.ts";
import { comparedFile } from "./comparison.ts";
import { bringBack, release, takeJobsOf } from "./jobs.ts";
import { notice } from "./notice.ts";
import { protect, split } from "./options.ts";
import { snapshot } from "./snapshot.ts";
import { chosenFile } from "./task.ts";
import { type TrayFile, takeOut, trayFiles } from "./tray.ts";
import { addStep } from "./undo.ts";

/** What is typed for the files of the page, beside what each file has of its own. The options of the tasks stay. */
const TYPED: readonly Signal<string>[] = [
  protect.password,
  protect.repeated,
  protect.ownerPassword,
  split.same,
];

/**
 * Removes files with their results, and ends their jobs. The last file takes everything with it that was made or typed, so
 * that no password gets into another file. {@link undo} brings it back.
 */
export function removeFiles(files: readonly TrayFile[]): void {
  if (files.length === 0) return;
  batch(() => {
    const putBack = takeOut(files);
    const isEmpty = trayFiles.value.length === 0;
    const taken = takeJobsOf(files, trayFiles.value);
    const retype = isEmpty ? forgetTyped() : () => {};
    addStep({
      undo: () => {
        // Never for files that were added since.
        if (trayFiles.value.length === 0) retype();
        putBack();
        bringBack(taken);
      },
      message: "undone.removal",
      values: { count: files.length },
      removed: files.length,
      discard: () => {
        taken.forEach(release);
        files.forEach(freeThumbnail);
      },
    });
  });
}

/** Removes all files, and everything that was made of them or typed for them. */
export function startOver(): void {
  removeFiles(trayFiles.value);
}

/** Forgets all that was typed, and what the page says about it. Returns what brings the texts back. */
function forgetTyped(): () => void {
  const retype = snapshot([...TYPED, protect.isShown]);
  for (const text of TYPED) text.value = "";
  protect.isShown.value = false;
  chosenFile.value = undefined;
  comparedFile.value = undefined;
  notice.value = undefined;
  forgetProblems();
  return retype;
}

function freeThumbnail({ thumbnail }: TrayFile): void {
  const url = thumbnail.peek();
  if (url !== undefined) URL.revokeObjectURL(url);
  thumbnail.value = undefined;
}
