import { batch } from "@preact/signals";
import { chaptersOf } from "./chapters.ts";
import type { PageSpan } from "./grid-layout.ts";
import { numberOf, type SplitWay, split } from "./options.ts";
import { shownFile, taskFiles } from "./task.ts";
import type { TrayFile } from "./tray.ts";
import { addStep, snapshot } from "./undo.ts";

/** Whether a way of splitting takes selected pages. Others make files that the grid shows. */
export function takesSelection(way: SplitWay): boolean {
  return way === "together" || way === "pages";
}

/** Returns the pages of a file that the current way of splitting takes, as text. */
export function selectionOf(file: TrayFile): string {
  switch (split.way.value) {
    case "together":
    case "pages":
      return split.isShared.value ? split.shared.value : file.pages.value;
    case "every":
      return spansText(everySpan(file));
    case "outline":
      return spansText(chaptersOf(file));
    case "size":
      return "";
  }
}

/**
 * Selects pages of a file, or of all files if they share a selection. After a way without a selection, each file has its own:
 * this one as given, and the others as the way before took them. {@link undo} brings all of it back.
 *
 * @param key tells changes in a row that are one: see `UndoStep`
 */
export function setSelection(file: TrayFile, text: string, key?: unknown): void {
  if (text === selectionOf(file)) return;
  batch(() => {
    rememberSelections(key);
    if (!takesSelection(split.way.value)) {
      for (const one of taskFiles.value) one.pages.value = selectionOf(one);
      split.isShared.value = false;
      split.way.value = "pages";
    }
    if (split.isShared.value) split.shared.value = text;
    else file.pages.value = text;
  });
}

/** Chooses how to split. {@link undo} brings the way before back. */
export function chooseWay(way: SplitWay): void {
  if (way === split.way.value) return;
  batch(() => {
    rememberSelections();
    split.way.value = way;
  });
}

/**
 * Makes one selection of all files, which begins as that of the shown file, or else of another one. Or gives each file its
 * own back. {@link undo} undoes it.
 */
export function shareSelection(isShared: boolean): void {
  batch(() => {
    rememberSelections();
    if (isShared) {
      const files = [shownFile.value, ...taskFiles.value];
      split.shared.value = files.find((file) => file?.pages.value)?.pages.value ?? split.shared.value;
    }
    split.isShared.value = isShared;
  });
}

/** Adds a step that brings the selections of this moment back. */
function rememberSelections(key?: unknown): void {
  const undo = snapshot([
    split.way,
    split.isShared,
    split.shared,
    ...taskFiles.value.map(({ pages }) => pages),
  ]);
  addStep({ undo, message: "undone.pages", files: taskFiles.value, key });
}

/** Returns the pages of a split into files of the same number of pages. */
function everySpan({ inspection }: TrayFile): readonly PageSpan[] {
  const count = inspection.value?.pages ?? 0;
  const every = numberOf("split-every") ?? Number.NaN;
  if (!(every >= 1)) return [];
  return Array.from({ length: Math.ceil(count / every) }, (_, index) => {
    const first = 1 + index * every;
    return { first, last: Math.min(count, first + every - 1) };
  });
}

/** Returns a selection with an item for each of some spans: `1-10, 11-20, 21`. */
function spansText(spans: readonly PageSpan[]): string {
  return spans.map(({ first, last }) => (first === last ? String(first) : `${first}-${last}`)).join(", ");
}
