import { signal } from "@preact/signals";
import { isTouch } from "../browser/window.ts";
import { t } from "../messages/index.ts";
import type { GridLayout } from "../state/grid-layout.ts";
import { movePages, type OrganizedPage, organizedPages, selectedPages } from "../state/organize.ts";
import { into } from "./into-signal.ts";
import { PageCell } from "./page-cell.tsx";

/** The pages that are dragged, and the one of them under the pointer. It makes the steps of the drag one for undo. */
const dragged = signal<{ readonly ids: ReadonlySet<string>; readonly id: string } | undefined>(undefined);

/** One page of the grid of organizing. */
export function OrganizedCell(props: {
  readonly page: OrganizedPage;
  /** Its place, from 0. */
  readonly place: number;
  readonly pageCount: number;
  readonly layout: GridLayout;
  readonly isActive: boolean;
  readonly onSelect: (way: "only" | "toggle" | "range") => void;
  /** Makes the page at a place the active one. */
  readonly onActivate: (place: number) => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}) {
  const { page, place } = props;
  const isSelected = selectedPages.value.has(page.id);
  const name = t("organize.page", { page: page.page, name: page.file.file.name });
  return (
    <PageCell
      file={page.file}
      page={page.page}
      place={place + 1}
      pageCount={props.pageCount}
      layout={props.layout}
      isSelected={isSelected}
      isActive={props.isActive}
      turn={page.turn}
      data-dragged={dragged.value?.ids.has(page.id) ? "" : undefined}
      title={name}
      draggable
      onFocus={() => props.onActivate(place)}
      onKeyDown={props.onKeyDown}
      onClick={({ shiftKey, ctrlKey, metaKey }) =>
        props.onSelect(shiftKey ? "range" : ctrlKey || metaKey || isTouch() ? "toggle" : "only")
      }
      onDragStart={({ dataTransfer }) => {
        dragged.value = { ids: isSelected ? selectedPages.value : new Set([page.id]), id: page.id };
        // A browser ends a drag whose element goes. The active one stays.
        props.onActivate(place);
        // Firefox drags nothing without data.
        dataTransfer?.setData("text/plain", name);
      }}
      onDragEnd={() => into(dragged)(undefined)}
      onDragOver={(event) => {
        const drag = dragged.value;
        if (drag === undefined) return;
        event.preventDefault();
        if (drag.ids.has(page.id)) return;
        movePages(drag.ids, placeFor(drag.ids, page), drag);
        props.onActivate(organizedPages.value.findIndex(({ id }) => id === drag.id));
      }}
    >
      <span class="visually-hidden">{page.turn === 0 ? name : `${name}, ${page.turn}°`}</span>
      <span class="page-number" aria-hidden="true">
        {place + 1}
      </span>
    </PageCell>
  );
}

/** Returns the place of a page among those that are not dragged. Dragged from before it, they come behind it. */
function placeFor(ids: ReadonlySet<string>, page: OrganizedPage): number {
  const pages = organizedPages.value;
  const others = pages.filter(({ id }) => !ids.has(id));
  const comesFromBefore = pages.findIndex(({ id }) => ids.has(id)) < pages.indexOf(page);
  return others.indexOf(page) + (comesFromBefore ? 1 : 0);
}
