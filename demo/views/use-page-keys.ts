import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { PageActions } from "./use-page-pointer.ts";

/** Where the focus of the grid is, and where it can go. */
interface GridFocus {
  /** The page that Tab reaches. */
  readonly active: number;
  readonly pageCount: number;
  readonly columns: number;
}

/** What the keys do to the pages of the grid. */
interface KeyActions extends Omit<PageActions, "cut"> {
  moveTo(page: number): void;
}

/**
 * Returns the handler of the keys: an arrow key moves the focus, with Shift it selects a range, Enter selects a page, Space
 * shows it large. From the scissors, arrow keys go to other scissors, which are buttons.
 */
export function usePageKeys(
  list: RefObject<HTMLElement | null>,
  { active, pageCount, columns }: GridFocus,
  { toggle, selectTo, moveTo, showLarge }: KeyActions,
) {
  const focusLater = useFocusAfterRender(list);
  return (event: KeyboardEvent) => {
    const { key, shiftKey, target } = event;
    const isAtSeam = target instanceof Element && target.closest(".seam") !== null;
    const step = stepOf(key, columns);
    if (step !== undefined) {
      event.preventDefault();
      const page = Math.max(1, Math.min(isAtSeam ? pageCount - 1 : pageCount, active + step));
      if (page === active) return;
      focusLater(isAtSeam ? `[data-after="${page}"]` : `[data-page="${page}"]`);
      if (shiftKey && !isAtSeam) selectTo(page);
      else moveTo(page);
    } else if (!isAtSeam && (key === "Enter" || key === " ")) {
      event.preventDefault();
      if (key === " ") showLarge(active);
      else if (shiftKey) selectTo(active);
      else toggle(active);
    }
  };
}

/** Returns what focuses an element of the grid once it is there: a page may get its cell only now. */
export function useFocusAfterRender(list: RefObject<HTMLElement | null>): (selector: string) => void {
  const wanted = useRef<string | undefined>(undefined);
  useLayoutEffect(() => {
    if (wanted.current !== undefined) list.current?.querySelector<HTMLElement>(wanted.current)?.focus();
    wanted.current = undefined;
  });
  return (selector) => {
    wanted.current = selector;
  };
}

/** Returns by how many pages a key moves. */
export function stepOf(key: string, columns: number): number | undefined {
  const steps: Readonly<Record<string, number>> = {
    ArrowLeft: -1,
    ArrowRight: 1,
    ArrowUp: -columns,
    ArrowDown: columns,
    Home: Number.NEGATIVE_INFINITY,
    End: Number.POSITIVE_INFINITY,
  };
  return steps[key];
}
