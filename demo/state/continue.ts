import { batch, computed } from "@preact/signals";
import { takeFiles } from "./inspect.ts";
import { isWorking } from "./jobs.ts";
import { outputKind } from "./outputs.ts";
import { type Aside, earlier, setAside } from "./removal.ts";
import { currentOutputs } from "./results.ts";
import { showResult } from "./shown-result.ts";
import { chosenTask, task } from "./task.ts";
import type { Task } from "./task-list.ts";
import { trayFiles } from "./tray.ts";
import { addStep, takeSteps } from "./undo.ts";

/** The tasks that can be done next with the result of the task of the page. */
export const nextTasks = computed<readonly Task[]>(() => {
  const kinds = currentOutputs.value.map(outputKind);
  // A protected file is unlocked first.
  if (kinds.length === 0 || kinds.includes("other") || task.value === "protect") return [];
  const arePdfs = kinds.every((kind) => kind === "pdf");
  const next: readonly Task[] = [
    ...(kinds.length > 1 ? (["merge"] as const) : []),
    ...(arePdfs ? (["protect"] as const) : []),
    "shrink",
    ...(arePdfs ? (["organize", "convert"] as const) : []),
  ];
  return next.filter((one) => one !== task.value);
});

/** Takes the result of the task of the page as the files of another one. {@link goBack} goes back to it. */
export function continueWith(next: Task): void {
  const outputs = currentOutputs.value.map(({ file }) => file.value);
  batch(() => {
    earlier.value = [...earlier.value, setPageAside()];
    takeFiles(outputs);
    chosenTask.value = next;
  });
}

/** Goes back to the result that the files of the page are, and ends their jobs. {@link undo} comes back to the files and results. */
export function goBack(): void {
  const before = earlier.value.at(-1);
  if (before === undefined) return;
  const toast = isWorking.peek() ? "tray.wentBackStopped" : "tray.wentBack";
  batch(() => {
    const later = setPageAside();
    earlier.value = earlier.value.slice(0, -1);
    before.putBack();
    chosenTask.value = before.task;
    addStep({
      undo: () => {
        earlier.value = [...earlier.value, setPageAside()];
        later.putBack();
        chosenTask.value = later.task;
      },
      message: "undone.removal",
      values: { count: later.files.length },
      files: later.files,
      isRemoval: true,
      toast,
      hasUnsaved: later.hasUnsaved,
      discard: later.discard,
    });
  });
  showResult();
}

/** Sets the files of the page aside, with what the user can undo there: a result that is not saved may be among it. */
function setPageAside(): Aside {
  const aside = setAside(trayFiles.value);
  const steps = takeSteps();
  return {
    ...aside,
    hasUnsaved: () => aside.hasUnsaved() || steps.hasUnsaved(),
    putBack: () => {
      aside.putBack();
      steps.putBack();
    },
    discard: () => {
      aside.discard();
      steps.discard();
    },
  };
}
