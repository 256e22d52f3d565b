import "../styles/page-grid.css";
import { type ReadonlySignal, useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useLayoutEffect } from "preact/hooks";
import { type GridLayout, gridLayout, type PageSpan, pagesBetween } from "../state/grid-layout.ts";

/** What a grid of pages shows at the moment. */
export interface GridView {
  readonly layout: GridLayout;
  /** The pages in view, and those that are one screen away or less. */
  readonly near: PageSpan;
}

/** Cells are at most this part of the window high, so that whole ones fit beside the bars. But they may always be so high. */
const MOST_PART = 0.42;
const LEAST_HEIGHT = 160;

/** The document of a grid. */
interface Pages {
  readonly pageCount: number;
  readonly pageRatio: number;
}

/**
 * Follows which pages are in view or near, while the user scrolls or the room changes.
 *
 * @returns undefined until the grid is on the page
 */
export function useGridView(
  list: RefObject<HTMLElement | null>,
  { pageCount, pageRatio }: Pages,
): ReadonlySignal<GridView | undefined> {
  const current = useSignal<GridView | undefined>(undefined);
  useLayoutEffect(() => {
    const element = list.current;
    if (element === null) return;
    const update = () => {
      // The page has no room for it.
      if (element.clientWidth === 0) return;
      const next = viewOf(element, { pageCount, pageRatio });
      // Most steps of scrolling stay in the same rows.
      if (JSON.stringify(next) !== JSON.stringify(current.value)) current.value = next;
    };
    update();
    const observer = new ResizeObserver(update);
    observer.observe(element);
    // The stage scrolls. Its events do not bubble.
    addEventListener("scroll", update, { capture: true, passive: true });
    addEventListener("resize", update);
    return () => {
      observer.disconnect();
      removeEventListener("scroll", update, { capture: true });
      removeEventListener("resize", update);
    };
  }, [list, current, pageCount, pageRatio]);
  return current;
}

function viewOf(element: HTMLElement, { pageCount, pageRatio }: Pages): GridView {
  const gap = Number.parseFloat(getComputedStyle(element).columnGap);
  const mostHeight = Math.max(LEAST_HEIGHT, innerHeight * MOST_PART);
  const layout = gridLayout({ width: element.clientWidth, gap, pageCount, pageRatio, mostHeight });
  const { top } = element.getBoundingClientRect();
  // The stage around the grid hides more than the screen does.
  const stage = element.closest(".stage")?.getBoundingClientRect();
  const from = Math.max(0, stage?.top ?? 0) - top;
  const to = Math.min(innerHeight, stage?.bottom ?? innerHeight) - top;
  const screen = to - from;
  return {
    layout,
    near: pagesBetween(from - screen, to + screen, layout, pageCount),
  };
}
