import type { Page } from "playwright-core";

/** What a person sees of the pages of a document while the grid scrolls. */
export interface ScrolledGrid {
  /** The longest time that a place in view was without its picture, in milliseconds. */
  readonly longestBlank: number;
  /** The most cells that the document had at the same time. */
  readonly mostCells: number;
  /** The pages that were seen. */
  readonly pagesSeen: number;
}

/**
 * Scrolls the window from the top to the bottom of the grid, and looks at each frame (`requestAnimationFrame`). A place is
 * where a page belongs by the geometry of the grid, whether it has a cell or not. It is blank from the frame in which half of
 * it is in view, until the frame in which its cell has a picture that the browser has loaded.
 *
 * @param pixelsPerSecond how fast. The time of each frame counts, not their number. A frame of more than 100 ms counts as one
 *   of 100 ms, so that a busy machine skips no row
 */
export function scrollGrid(page: Page, pixelsPerSecond: number): Promise<ScrolledGrid> {
  return page.evaluate(async (speed) => {
    const grid = document.querySelector<HTMLElement>(".page-grid");
    const cell = grid?.querySelector<HTMLElement>(".page");
    if (!grid || !cell) throw new Error("There is no grid");
    const pageCount = Number(cell.getAttribute("aria-setsize"));
    const lefts = Array.from(grid.querySelectorAll<HTMLElement>(".page"), ({ offsetLeft }) => offsetLeft);
    const columns = new Set(lefts).size;
    const rowStep = grid.clientHeight / Math.ceil(pageCount / columns);
    const half = cell.clientHeight / 2;

    const nextFrame = () => new Promise<number>(requestAnimationFrame);
    const blankSince = new Map<number, number>();
    const seen = new Set<number>();
    let longestBlank = 0;
    let mostCells = 0;
    const look = (now: number) => {
      const { top } = grid.getBoundingClientRect();
      const cells = new Map(
        Array.from(grid.querySelectorAll<HTMLElement>(".page"), (one) => [Number(one.dataset.page), one]),
      );
      mostCells = Math.max(mostCells, cells.size);
      for (let number = 1; number <= pageCount; number++) {
        const middle = top + Math.floor((number - 1) / columns) * rowStep + half;
        const isInView = middle >= 0 && middle <= innerHeight;
        const picture = cells.get(number)?.querySelector("img");
        const isDrawn = picture?.complete === true && picture.naturalWidth > 0;
        const since = blankSince.get(number);
        if (since !== undefined) longestBlank = Math.max(longestBlank, now - since);
        if (!isInView || isDrawn) blankSince.delete(number);
        else if (since === undefined) blankSince.set(number, now);
        if (isInView) seen.add(number);
      }
    };

    scrollTo(0, 0);
    const bottom = document.documentElement.scrollHeight - innerHeight;
    let position = 0;
    for (let last = await nextFrame(); position < bottom; ) {
      const now = await nextFrame();
      position = Math.min(bottom, position + (Math.min(100, now - last) / 1000) * speed);
      scrollTo(0, position);
      look(now);
      last = now;
    }
    // The pages in view at the end are drawn, too.
    while (blankSince.size > 0) look(await nextFrame());
    return { longestBlank, mostCells, pagesSeen: seen.size };
  }, pixelsPerSecond);
}
