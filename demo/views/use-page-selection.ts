import { useComputed, useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { chaptersOf } from "../state/chapters.ts";
import { split } from "../state/options.ts";
import {
  addRange,
  filesByPage,
  pageGroups,
  pagesInOrder,
  toggleCut,
  togglePage,
} from "../state/page-groups.ts";
import { checkPages } from "../state/page-selection.ts";
import { selectionOf, setSelection } from "../state/split-selection.ts";
import type { TrayFile } from "../state/tray.ts";

/** A range of pages that was selected last, and may still change. */
interface Range {
  readonly from: number;
  /** The selection without the range, and with it. */
  readonly before: string;
  readonly after: string;
  /** Makes its changes one step for undo. */
  readonly key: object;
}

/** Returns the selection of a file for its grid, and what changes it. */
export function usePageSelection(file: TrayFile, pageCount: number) {
  const text = useComputed(() => selectionOf(file));
  const isTogether = useComputed(() => split.way.value === "together");
  const groups = useComputed(() => {
    // How many pages fit into a size is not known before the split.
    if (split.way.value === "size") return [];
    if (!isTogether.value) return pageGroups(text.value, pageCount);
    const pages = pagesInOrder(text.value, pageCount);
    return pages.length > 0 ? [pages] : [];
  });
  const files = useComputed(() => filesByPage(groups.value));
  const chapters = useComputed(() => (split.way.value === "outline" ? chaptersOf(file) : []));
  /** The page that Tab reaches. */
  const active = useSignal(1);
  /** Where a range begins that Shift makes. */
  const anchor = useRef(1);
  const range = useRef<Range | undefined>(undefined);
  const moveTo = (page: number) => {
    anchor.current = page;
    active.value = page;
  };
  return {
    /** How many files come out. Zero if it is not known, and for a selection that would be refused. */
    fileCount: checkPages(text.value, pageCount) ? 0 : groups.value.length,
    /** Whether all pages become one file, in the order of the selection. */
    isTogether: isTogether.value,
    files: files.value,
    chapters: chapters.value,
    active: active.value,
    moveTo,
    toggle: (page: number) => {
      setSelection(file, togglePage(text.value, page, pageCount));
      moveTo(page);
    },
    cut: (page: number) => {
      setSelection(file, toggleCut(text.value, page, pageCount));
      moveTo(page);
    },
    /** Puts the pages from one, or from the one before, into a file. The same range may be made longer or shorter. */
    selectTo: (page: number, from = anchor.current) => {
      const last = range.current;
      const isSame = last?.from === from && last.after === text.value;
      const before = isSame ? last.before : text.value;
      const key = isSame ? last.key : {};
      setSelection(file, addRange(before, [from, page], pageCount), key);
      range.current = { from, before, after: text.value, key };
      anchor.current = from;
      active.value = page;
    },
  };
}
