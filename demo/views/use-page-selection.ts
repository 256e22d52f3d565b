import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import type { PageChoice } from "../state/page-choice.ts";
import { addRange, toggleCut, togglePage } from "../state/page-groups.ts";

/** A range of pages that was selected last, and may still change. */
interface Range {
  readonly from: number;
  /** The selection without the range, and with it. */
  readonly before: string;
  readonly after: string;
  /** Makes its changes one step for undo. */
  readonly key: object;
}

/** Returns the page that has the focus of the grid, and what changes the chosen pages. */
export function usePageSelection(choice: PageChoice, pageCount: number) {
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
      choice.set(togglePage(choice.text(), page, pageCount));
      moveTo(page);
    },
    cut: (page: number) => {
      choice.set(toggleCut(choice.text(), page, pageCount));
      moveTo(page);
    },
    /** Puts the pages from one, or from the one before, into a file. The same range may be made longer or shorter. */
    selectTo: (page: number, from = anchor.current) => {
      const last = range.current;
      const isSame = last?.from === from && last.after === choice.text();
      const { before, key } = isSame ? last : { before: choice.text(), key: {} };
      choice.set(addRange(before, [from, page], pageCount), key);
      range.current = { from, before, after: choice.text(), key };
      anchor.current = from;
      active.value = page;
    },
  };
}
