import "../styles/organize.css";
import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { t } from "../messages/index.ts";
import { pagesWith } from "../state/grid-layout.ts";
import {
  duplicatePages,
  movePages,
  organizedPages,
  removePages,
  selectedPages,
  turnPages,
} from "../state/organize.ts";
import { Button } from "./button.tsx";
import type { IconName } from "./icon-paths.ts";
import { OrganizedCell } from "./organized-cell.tsx";
import { useGridView } from "./use-grid-view.ts";
import { stepOf, useFocusAfterRender } from "./use-page-keys.ts";

/** The pages of all files in one grid: they are moved, turned, copied and taken out. */
export function OrganizeGrid() {
  const list = useRef<HTMLDivElement>(null);
  const pages = organizedPages.value;
  /** The place of the page that Tab reaches. */
  const active = useSignal(0);
  const anchor = useRef(0);
  const at = Math.min(active.value, pages.length - 1);
  // A square has room for a page in any direction.
  const grid = useGridView(list, { pageCount: pages.length, pageRatio: 1 }).value;
  // Tab reaches the active page wherever it is. A page that is dragged stays, too: it is the active one.
  const near = grid ? pagesWith(at + 1, grid.near) : [];
  const focusLater = useFocusAfterRender(list);
  const focus = (place: number) => {
    active.value = Math.max(0, Math.min(organizedPages.value.length - 1, place));
    focusLater('[tabindex="0"]');
  };
  const selected = new Set(pages.map(({ id }) => id).filter((id) => selectedPages.value.has(id)));
  /** What the keys work on: the selected pages, or the one with the focus. */
  const chosen = (): ReadonlySet<string> => {
    const page = pages[at];
    return selected.size > 0 || page === undefined ? selected : new Set([page.id]);
  };
  const select = (place: number, way: "only" | "toggle" | "range") => {
    const page = pages[place];
    if (page === undefined) return;
    if (way === "range") {
      const [first, last] = [Math.min(anchor.current, place), Math.max(anchor.current, place)];
      selectedPages.value = new Set(pages.slice(first, last + 1).map(({ id }) => id));
    } else {
      const others = way === "only" ? new Set<string>() : new Set(selectedPages.value);
      const isSelected = selectedPages.value.has(page.id);
      if (isSelected && (way === "toggle" || selectedPages.value.size === 1)) others.delete(page.id);
      else others.add(page.id);
      selectedPages.value = others;
      anchor.current = place;
    }
    focus(place);
  };
  const move = (step: number) => {
    const ids = chosen();
    const moved = pages[at];
    // None of the pages before the first one moves.
    movePages(ids, pages.findIndex(({ id }) => ids.has(id)) + step);
    focus(organizedPages.value.findIndex(({ id }) => id === moved?.id));
  };
  const remove = (ids: ReadonlySet<string>) => {
    removePages(ids);
    focus(Math.min(at, organizedPages.value.length - 1));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = stepOf(event.key, grid?.layout.columns ?? 1);
    const act = (action: () => void) => {
      event.preventDefault();
      action();
    };
    if (step !== undefined) act(() => (event.altKey ? move(step) : focus(at + step)));
    else if (event.key === " " || event.key === "Enter")
      act(() => select(at, event.shiftKey ? "range" : "toggle"));
    else if (event.key === "Delete" || event.key === "Backspace") act(() => remove(chosen()));
    else if (event.key.toLowerCase() === "r" && !event.ctrlKey && !event.metaKey)
      act(() => turnPages(chosen(), event.shiftKey ? -90 : 90));
    else if (event.key.toLowerCase() === "a" && (event.ctrlKey || event.metaKey))
      act(() => {
        selectedPages.value = new Set(pages.map(({ id }) => id));
      });
  };
  const tools: readonly (readonly [IconName, string, () => void])[] = [
    ["turn-left", t("organize.left"), () => turnPages(selected, -90)],
    ["turn-right", t("organize.right"), () => turnPages(selected, 90)],
    ["copy", t("organize.copy"), () => duplicatePages(selected)],
    ["trash", t("organize.remove"), () => remove(selected)],
  ];
  return (
    <>
      <div class="stage-bar">
        <p class="outcome" role="status">
          {t("merge.result", { count: pages.length })}
        </p>
        <div class="tools" role="toolbar" aria-label={t("organize.tools")}>
          {tools.map(([icon, label, act]) => (
            <Button
              key={icon}
              class="icon"
              icon={icon}
              label={label}
              title={label}
              disabled={selected.size === 0}
              onClick={act}
            />
          ))}
        </div>
        <p class="hint">{t("organize.hint")}</p>
      </div>
      <div
        class="page-grid organized"
        ref={list}
        role="listbox"
        style={{ height: `${grid?.layout.height ?? 0}px` }}
        aria-multiselectable="true"
        aria-label={t("organize.pages")}
      >
        {near.map((number) => {
          const place = number - 1;
          const page = pages[place];
          return (
            grid &&
            page && (
              <OrganizedCell
                key={page.id}
                page={page}
                place={place}
                pageCount={pages.length}
                layout={grid.layout}
                isActive={place === at}
                onKeyDown={onKeyDown}
                onSelect={(way) => select(place, way)}
                onActivate={(index) => {
                  active.value = index;
                }}
              />
            )
          );
        })}
      </div>
    </>
  );
}
