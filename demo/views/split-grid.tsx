import "../styles/split-grid.css";
import { useComputed, useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { t } from "../messages/index.ts";
import { client } from "../state/client.ts";
import { pagesOf } from "../state/grid-layout.ts";
import { split } from "../state/options.ts";
import { addRange, pageGroups, togglePage } from "../state/page-groups.ts";
import { PagePictures } from "../state/page-pictures.ts";
import { isForeseen, selectionOf } from "../state/split-selection.ts";
import { needsPassword } from "../state/task.ts";
import type { TrayFile } from "../state/tray.ts";
import { PageCell } from "./page-cell.tsx";
import { PageZoom } from "./page-zoom.tsx";
import { useGridView } from "./use-grid-view.ts";

/** How wide a picture of a page is, in pixels of the screen. */
const PICTURE_WIDTH = 140;

/** The pages of a document, and the files that a split makes of them. The grid and the text of the selection are one state. */
export function SplitGrid({ file }: { readonly file: TrayFile }) {
  const pageCount = file.inspection.value?.pages;
  if (pageCount === undefined || needsPassword(file)) return null;
  return <Pages file={file} pageCount={pageCount} />;
}

/** Pages that the mouse selects while its button is held. */
interface Drag {
  readonly from: number;
  /** The selection before. */
  readonly before: string;
  hasMoved: boolean;
}

function Pages({ file, pageCount }: { readonly file: TrayFile; readonly pageCount: number }) {
  const text = selectionOf(file);
  const list = useRef<HTMLDivElement>(null);
  const pictures = useMemo(() => picturesOf(file), [file]);
  useEffect(() => () => pictures.close(), [pictures]);
  const grid = useGridView(list, { pageCount, pageRatio: pageRatioOf(file) }).value;
  useEffect(() => {
    if (grid) pictures.show(grid.view, grid.near);
  }, [pictures, grid]);
  const groups = useComputed(() => (isForeseen(split.way.value) ? pageGroups(text.value, pageCount) : []));
  const fileOf = useComputed(
    () => new Map(groups.value.flatMap((group, index) => group.map((page) => [page, index + 1] as const))),
  );
  const active = useSignal(1);
  const anchor = useSignal(1);
  const zoomed = useSignal<number | undefined>(undefined);
  const drag = useRef<Drag | undefined>(undefined);
  /** The page that gets the focus once it has a cell. */
  const toFocus = useRef<number | undefined>(undefined);
  useLayoutEffect(() => {
    if (toFocus.current === undefined) return;
    list.current?.querySelector<HTMLElement>(`[data-page="${toFocus.current}"]`)?.focus();
    toFocus.current = undefined;
  });

  const choose = (page: number, isRange: boolean) => {
    text.value = isRange
      ? addRange(text.value, [anchor.value, page], pageCount)
      : togglePage(text.value, page, pageCount);
    if (!isRange) anchor.value = page;
    active.value = page;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = stepOf(event.key, grid?.layout.columns ?? 1);
    if (step !== undefined) {
      event.preventDefault();
      const next = Math.max(1, Math.min(pageCount, active.value + step));
      if (next !== active.value) toFocus.current = next;
      active.value = next;
    } else if (event.key === "Enter") {
      event.preventDefault();
      choose(active.value, event.shiftKey);
    } else if (event.key === " ") {
      event.preventDefault();
      zoomed.value = active.value;
    }
  };
  // Tab reaches the active page wherever it is.
  const cells = grid ? withPage(active.value, pagesOf(grid.near)) : [];

  return (
    <>
      <p class="hint" id="grid-result" role="status">
        {groups.value.length > 0 && t("split.result", { count: groups.value.length })}
      </p>
      <p class="hint">{t("split.gridHint")}</p>
      <div
        class="page-grid"
        ref={list}
        style={{ height: `${grid?.layout.height ?? 0}px` }}
        role="listbox"
        aria-multiselectable="true"
        aria-label={t("split.grid", { name: file.file.name })}
        onKeyDown={onKeyDown}
        onPointerDown={({ target, pointerType, shiftKey }) => {
          const page = pageAt(target);
          // A finger scrolls.
          drag.current =
            page === undefined || pointerType !== "mouse" || shiftKey
              ? undefined
              : { from: page, before: text.value, hasMoved: false };
        }}
        onPointerOver={({ target, buttons }) => {
          const page = pageAt(target);
          const started = drag.current;
          if (page === undefined || started === undefined || buttons !== 1) return;
          if (page === started.from && !started.hasMoved) return;
          started.hasMoved = true;
          text.value = addRange(started.before, [started.from, page], pageCount);
        }}
        onClick={({ target, shiftKey }) => {
          const page = pageAt(target);
          if (page !== undefined && !drag.current?.hasMoved) choose(page, shiftKey);
        }}
      >
        {grid &&
          cells.map((page) => (
            <PageCell
              key={page}
              page={page}
              pageCount={pageCount}
              layout={grid.layout}
              picture={pictures.urlOf(page)}
              fileNumber={fileOf.value.get(page)}
              isActive={active.value === page}
            />
          ))}
      </div>
      <PageZoom file={file} page={zoomed} />
    </>
  );
}

function picturesOf({ file, password }: TrayFile): PagePictures {
  return new PagePictures((pages, signal) => {
    const opened = password.peek() === "" ? {} : { password: password.peek() };
    const width = Math.round(PICTURE_WIDTH * devicePixelRatio);
    return client.renderPages({ file, pages, width, ...opened }, { signal });
  });
}

/** Returns the height of the tallest page by its width, so that all pages fit into cells of one size. */
function pageRatioOf({ inspection }: TrayFile): number {
  const sizes = inspection.value?.page_sizes ?? [];
  return sizes.length === 0 ? Math.SQRT2 : Math.max(...sizes.map(({ width, height }) => height / width));
}

function withPage(page: number, pages: readonly number[]): readonly number[] {
  return pages.includes(page) ? pages : [...pages, page].sort((one, other) => one - other);
}

/** Returns the page that an event is at. */
function pageAt(target: EventTarget | null): number | undefined {
  const page = target instanceof Element ? target.closest<HTMLElement>(".page") : null;
  return page === null ? undefined : Number(page.dataset.page);
}

/** Returns by how many pages a key moves. */
function stepOf(key: string, columns: number): number | undefined {
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
