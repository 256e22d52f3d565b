import { useComputed } from "@preact/signals";
import { type Chapter, chaptersOf } from "../state/chapters.ts";
import { split } from "../state/options.ts";
import type { PageChoice } from "../state/page-choice.ts";
import { filesByPage, type PartFile, pageGroups, pagesInOrder } from "../state/page-groups.ts";
import { checkPages } from "../state/page-selection.ts";
import type { TrayFile } from "../state/tray.ts";

/** The files that the chosen pages of a document become. */
export interface SplitFiles {
  /** How many files come out. Zero if it is not known, and for a selection that would be refused. */
  readonly fileCount: number;
  /** Whether all pages become one file, in the order of the selection. */
  readonly isTogether: boolean;
  /** The file of each page that comes out. */
  readonly files: ReadonlyMap<number, PartFile>;
  /** The chapters that a split by chapters makes. Empty for other ways. */
  readonly chapters: readonly Chapter[];
}

/** Returns what the present options make of the chosen pages of a document. */
export function useSplitFiles(file: TrayFile, choice: PageChoice, pageCount: number): SplitFiles {
  const groups = useComputed(() => {
    const way = choice.way();
    if (way === "unknown") return [];
    if (way === "apart") return pageGroups(choice.text(), pageCount);
    const pages = pagesInOrder(choice.text(), pageCount);
    return pages.length > 0 ? [pages] : [];
  });
  const files = useComputed(() => filesByPage(groups.value));
  const chapters = useComputed(() =>
    !choice.isFree() && split.way.value === "outline" ? chaptersOf(file) : [],
  );
  return {
    fileCount: checkPages(choice.text(), pageCount) ? 0 : groups.value.length,
    isTogether: choice.way() === "together",
    files: files.value,
    chapters: chapters.value,
  };
}
