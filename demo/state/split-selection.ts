import { batch } from "@preact/signals";
import { numberIn, type SplitWay, split } from "./options.ts";
import { isWord, normalizePages } from "./page-text.ts";
import { taskFiles } from "./task.ts";
import type { TrayFile } from "./tray.ts";

/** A page selection that can be read and written as text. */
export interface PageSelection {
  value: string;
}

/** Whether the app knows before a split which pages come together. */
export function isForeseen(way: SplitWay): boolean {
  return way !== "outline" && way !== "size";
}

/**
 * Returns the pages of a file that the current way of splitting takes. The user who changes them has a selection of their
 * own from then on: of this file as changed, and of the other files as the way before took them.
 */
export function selectionOf(file: TrayFile): PageSelection {
  return {
    get value() {
      return textOf(file);
    },
    set value(text) {
      batch(() => {
        for (const one of taskFiles.value) one.pages.value = textOf(one);
        split.way.value = "pages";
        file.pages.value = text;
      });
    },
  };
}

/** Gives all files the selection of one. */
export function selectForAll(file: TrayFile): void {
  const text = file.pages.value;
  batch(() => {
    for (const one of taskFiles.value) one.pages.value = text;
  });
}

/** Whether another file has another selection. */
export function isSelectedApart(file: TrayFile): boolean {
  const text = normalizePages(file.pages.value);
  return text !== "" && taskFiles.value.some(({ pages }) => normalizePages(pages.value) !== text);
}

function textOf(file: TrayFile): string {
  const way = split.way.value;
  if (isWord(way)) return way;
  return way === "every" ? everyText(file) : file.pages.value;
}

/** Returns the items of a split into files of the same number of pages: `1-10, 11-20, 21-25`. */
function everyText({ inspection }: TrayFile): string {
  const count = inspection.value?.pages ?? 0;
  const every = numberIn(split.every.value);
  if (!Number.isInteger(every) || every < 1) return "";
  return Array.from({ length: Math.ceil(count / every) }, (_, index) => {
    const first = 1 + index * every;
    const last = Math.min(count, first + every - 1);
    return first === last ? String(first) : `${first}-${last}`;
  }).join(", ");
}
