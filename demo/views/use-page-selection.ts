import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { addRange, toggleCut, togglePage } from "../state/page-groups.ts";
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

/** Returns the page that has the focus of the grid, and what changes the selection of a file. */
export function usePageSelection(file: TrayFile, pageCount: number) {
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
    active: active.value,
    moveTo,
    toggle: (page: number) => {
      setSelection(file, togglePage(selectionOf(file), page, pageCount));
      moveTo(page);
    },
    cut: (page: number) => {
      setSelection(file, toggleCut(selectionOf(file), page, pageCount));
      moveTo(page);
    },
    /** Puts the pages from one, or from the one before, into a file. The same range may be made longer or shorter. */
    selectTo: (page: number, from = anchor.current) => {
      const last = range.current;
      const isSame = last?.from === from && last.after === selectionOf(file);
      const { before, key } = isSame ? last : { before: selectionOf(file), key: {} };
      setSelection(file, addRange(before, [from, page], pageCount), key);
      range.current = { from, before, after: selectionOf(file), key };
      anchor.current = from;
      active.value = page;
    },
  };
}
