import type { Page } from "playwright-core";

/** What a person sees of the pages of a document while the grid scrolls. */
export interface ScrolledGrid {
  /** The longest time that a place in view was without its picture, in milliseconds of 60 frames a second. */
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
 * Time is counted in frames of 1/60 s, however long they take. So a busy machine, which draws fewer frames, gets more
 * time for its pictures, too.
 *
 * @param pixelsPerSecond how fast, at 60 frames a second
 */
export function scrollGrid(page: Page, pixelsPerSecond: number): Promise<ScrolledGrid> {
  return page.evaluate(async (speed) => {
    const grid = document.querySelector<HTMLElement>(".page-grid");
    const cell = grid?.querySelector<HTMLElement>(".page");
    const stage = grid?.closest(".stage");
    if (!grid || !cell || !stage) throw new Error("There is no grid");
    const pageCount = Number(cell.getAttribute("aria-setsize"));
    const lefts = Array.from(grid.querySelectorAll<HTMLElement>(".page"), ({ offsetLeft }) => offsetLeft);
    const columns = new Set(lefts).size;
    const rowStep = grid.clientHeight / Math.ceil(pageCount / columns);
    const half = cell.clientHeight / 2;

    const frameMs = 1000 / 60;
    const nextFrame = () => new Promise(requestAnimationFrame);
    const blankSince = new Map<number, number>();
    const seen = new Set<number>();
    let longestBlank = 0;
    let mostCells = 0;
    let now = 0;
    const look = () => {
      now += frameMs;
      const { top } = grid.getBoundingClientRect();
      const { top: stageTop, bottom: stageBottom } = stage.getBoundingClientRect();
      const cells = new Map(
        Array.from(grid.querySelectorAll<HTMLElement>(".page"), (one) => [Number(one.dataset.page), one]),
      );
      mostCells = Math.max(mostCells, cells.size);
      for (let number = 1; number <= pageCount; number++) {
        const middle = top + Math.floor((number - 1) / columns) * rowStep + half;
        const isInView = middle >= stageTop && middle <= stageBottom;
        const picture = cells.get(number)?.querySelector("img");
        const isDrawn = picture?.complete === true && picture.naturalWidth > 0;
        const since = blankSince.get(number);
        if (since !== undefined) longestBlank = Math.max(longestBlank, now - since);
        if (!isInView || isDrawn) blankSince.delete(number);
        else if (since === undefined) blankSince.set(number, now);
        if (isInView) seen.add(number);
      }
    };

    stage.scrollTo(0, 0);
    const bottom = stage.scrollHeight - stage.clientHeight;
    let position = 0;
    while (position < bottom) {
      await nextFrame();
      position = Math.min(bottom, position + (speed * frameMs) / 1000);
      stage.scrollTo(0, position);
      look();
    }
    // The pages in view at the end are drawn, too.
    while (blankSince.size > 0) {
      await nextFrame();
      look();
    }
    return { longestBlank, mostCells, pagesSeen: seen.size };
  }, pixelsPerSecond);
}
