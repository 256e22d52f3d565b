import { expect, test } from "vitest";
import { gridLayout, pagesBetween, pagesOf, placeOf } from "../../../../demo/state/grid-layout.ts";

const A4 = Math.SQRT2;
const desktop = { width: 850, pageCount: 350, pageRatio: A4, gap: 16, mostHeight: 336 };

test("fits all cells into the room of the grid", () => {
  const layout = gridLayout(desktop);
  expect(layout.columns).toBe(6);
  const last = placeOf(6, layout);
  expect(last.left + layout.cellWidth).toBeLessThanOrEqual(850);
  expect(placeOf(7, layout)).toEqual({ left: 0, top: layout.rowStep });
  expect(placeOf(350, layout).top + layout.rowStep).toBe(layout.height);
});

test.each([
  [358, 3],
  [288, 2],
  [40, 1],
])("divides a width of %i into %i columns", (width, columns) => {
  expect(gridLayout({ ...desktop, width, gap: 24 }).columns).toBe(columns);
});

test("makes more columns in a low window, but not for pages that are low themselves", () => {
  const low = { ...desktop, width: 616, gap: 20, mostHeight: 168 };
  expect(gridLayout({ ...low, mostHeight: 336 }).columns).toBe(4);
  expect(gridLayout(low).columns).toBe(5);
  expect(gridLayout(low).cellHeight).toBeLessThanOrEqual(168);
  expect(gridLayout({ ...low, pageRatio: 1 / A4 }).columns).toBe(4);
});

test("fills a cell with its page, but not the screen with a strip of paper", () => {
  const heightFor = (pageRatio: number) => gridLayout({ ...desktop, pageRatio }).cellHeight;
  expect(heightFor(A4)).toBeGreaterThan(heightFor(1 / A4));
  expect(heightFor(100)).toBe(heightFor(1.5));
  expect(heightFor(0.001)).toBe(heightFor(0.5));
});

test("returns the pages of all rows that are in view", () => {
  const layout = gridLayout(desktop);
  const step = layout.rowStep;
  const between = (top: number, bottom: number) => pagesBetween(top, bottom, layout, 350);
  expect(between(0, 1)).toEqual({ first: 1, last: 6 });
  expect(between(step - 1, step + 1)).toEqual({ first: 1, last: 12 });
  expect(between(10 * step, 12 * step)).toEqual({ first: 61, last: 72 });
  expect(between(-500, 1e9)).toEqual({ first: 1, last: 350 });
});

test.each([
  [-500, -100],
  [1e9, 2e9],
])("returns no page of a grid out of view, from %i to %i", (top, bottom) => {
  expect(pagesOf(pagesBetween(top, bottom, gridLayout(desktop), 350))).toEqual([]);
});
