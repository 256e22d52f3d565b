/** Neighboring pages, from the first to the last. Empty if the last one is before the first one. */
export interface PageSpan {
  readonly first: number;
  readonly last: number;
}

/** Where the cells of the pages are, in CSS pixels. All are equally large, so that each place is known without its cell. */
export interface GridLayout {
  readonly columns: number;
  readonly cellWidth: number;
  readonly cellHeight: number;
  /** From one cell to the next one of the row. */
  readonly columnStep: number;
  /** From one row to the next one. */
  readonly rowStep: number;
  /** The height of all rows. */
  readonly height: number;
}

/** What a layout depends on. */
export interface GridShape {
  /** The room for the grid, in CSS pixels. */
  readonly width: number;
  readonly pageCount: number;
  /** The height of a page by its width. */
  readonly pageRatio: number;
  /** Between neighbors of a row, in CSS pixels. */
  readonly gap: number;
  /** The most height of a cell, in CSS pixels. In a low window, there are more columns. */
  readonly mostHeight: number;
}

/** The least width of a cell, in CSS pixels. In a narrow grid, it is this part of the grid. */
const LEAST_WIDTH = 106;
const LEAST_PART = 0.26;

/** What a cell has around the picture: padding and border at the sides, and below it the line with the number. */
const SIDES = 16;
const NUMBER_LINE = 24;

const ROW_GAP = 12;

/** Pages are not drawn flatter or taller than this, so that a strip of paper does not fill the screen. */
const LEAST_RATIO = 0.5;
const MOST_RATIO = 1.5;

/** Returns where the cells are. */
export function gridLayout({ width, pageCount, pageRatio, gap, mostHeight }: GridShape): GridLayout {
  const least = Math.min(LEAST_WIDTH, width * LEAST_PART) + gap;
  const ratio = Math.max(LEAST_RATIO, Math.min(MOST_RATIO, pageRatio));
  const most = (mostHeight - SIDES - NUMBER_LINE) / ratio + SIDES + gap;
  const columns = Math.max(1, Math.floor(width / least), Math.ceil(width / most));
  const columnStep = width / columns;
  const cellWidth = columnStep - gap;
  const cellHeight = Math.round((cellWidth - SIDES) * ratio) + SIDES + NUMBER_LINE;
  const rowStep = cellHeight + ROW_GAP;
  return {
    columns,
    cellWidth,
    cellHeight,
    columnStep,
    rowStep,
    height: rowStep * Math.ceil(pageCount / columns),
  };
}

/** Returns the corner of the cell of a page. */
export function placeOf(page: number, { columns, columnStep, rowStep }: GridLayout) {
  const index = page - 1;
  return { left: (index % columns) * columnStep, top: Math.floor(index / columns) * rowStep };
}

/** Returns the pages of the rows that are between two heights of the grid. */
export function pagesBetween(
  top: number,
  bottom: number,
  { columns, rowStep, height }: GridLayout,
  pageCount: number,
): PageSpan {
  const firstRow = Math.floor(Math.max(0, top) / rowStep);
  const rows = Math.ceil(Math.min(height, bottom) / rowStep);
  return { first: firstRow * columns + 1, last: Math.min(pageCount, rows * columns) };
}

/** Returns the pages of a span. */
export function pagesOf({ first, last }: PageSpan): readonly number[] {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
}

/** Returns the pages of a span, and another one, in order. */
export function pagesWith(page: number, span: PageSpan): readonly number[] {
  const pages = pagesOf(span);
  return pages.includes(page) ? pages : [...pages, page].sort((one, other) => one - other);
}
