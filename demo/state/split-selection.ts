import { batch } from "@preact/signals";
import { t } from "../messages/index.ts";
import { chaptersOf } from "./chapters.ts";
import type { PageSpan } from "./grid-layout.ts";
import { numberIn, type SplitWay, split } from "./options.ts";
import { isWord } from "./page-selection.ts";
import { snapshot } from "./snapshot.ts";
import { shownFile, taskFiles } from "./task.ts";
import type { TrayFile } from "./tray.ts";
import { addStep } from "./undo.ts";

/** Whether the page has a field for the selection. The files of `every` are seen in the grid. */
export function hasPagesField(way: SplitWay): boolean {
  return isOwn(way) || way === "same" || isWord(way);
}

/** Whether each file has a selection of its own. */
function isOwn(way: SplitWay): boolean {
  return way === "pages" || way === "together";
}

/** Returns the pages of a file that the current way of splitting takes, as text. */
export function selectionOf(file: TrayFile): string {
  const way = split.way.value;
  switch (way) {
    case "same":
      return split.same.value;
    case "every":
      return spansText(everySpan(file));
    case "outline":
      return spansText(chaptersOf(file));
    default:
      return isWord(way) ? t(`pages.${way}`) : file.pages.value;
  }
}

/**
 * Selects pages of a file. With the way `same`, this selects them in all files. With any other way, each file has its own
 * selection afterwards: this one as given, and the others as the way before took them. The ways in which each file has its
 * own stay. {@link undo} brings all of it back.
 *
 * @param key tells changes in a row that are one: see `UndoStep`
 */
export function setSelection(file: TrayFile, text: string, key?: unknown): void {
  if (text === selectionOf(file)) return;
  batch(() => {
    rememberSelections(key);
    if (split.way.value === "same") {
      split.same.value = text;
      return;
    }
    for (const one of taskFiles.value) one.pages.value = selectionOf(one);
    if (!isOwn(split.way.value)) split.way.value = "pages";
    file.pages.value = text;
  });
}

/**
 * Chooses how to split. What was selected in the shown file, or else in another one, becomes the selection of all files.
 * {@link undo} brings the way before back.
 */
export function chooseWay(way: SplitWay): void {
  if (way === split.way.value) return;
  batch(() => {
    rememberSelections();
    if (way === "same" && isOwn(split.way.value)) {
      const files = [shownFile.value, ...taskFiles.value];
      split.same.value = files.find((file) => file?.pages.value)?.pages.value ?? split.same.value;
    }
    split.way.value = way;
  });
}

/** Adds a step that brings the selections of this moment back. */
function rememberSelections(key?: unknown): void {
  const undo = snapshot([split.way, split.same, ...taskFiles.value.map(({ pages }) => pages)]);
  addStep({ undo, message: "undone.pages", key });
}

/** Returns the pages of a split into files of the same number of pages. */
function everySpan({ inspection }: TrayFile): readonly PageSpan[] {
  const count = inspection.value?.pages ?? 0;
  const every = numberIn(split.every.value);
  if (!Number.isInteger(every) || every < 1) return [];
  return Array.from({ length: Math.ceil(count / every) }, (_, index) => {
    const first = 1 + index * every;
    return { first, last: Math.min(count, first + every - 1) };
  });
}

/** Returns a selection with an item for each of some spans: `1-10, 11-20, 21`. */
function spansText(spans: readonly PageSpan[]): string {
  return spans.map(({ first, last }) => (first === last ? String(first) : `${first}-${last}`)).join(", ");
}
