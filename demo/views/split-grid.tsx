import "../styles/split-grid.css";
import { type Signal, useComputed, useSignal } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { t } from "../messages/index.ts";
import { addRange, pageGroups, togglePage } from "../state/page-groups.ts";
import { PagePictures } from "../state/page-pictures.ts";
import { needsPassword } from "../state/task.ts";
import type { TrayFile } from "../state/tray.ts";
import { PageZoom } from "./page-zoom.tsx";

/** The pages of a document, to select those of a split. The grid and `text` are one state. */
export function SplitGrid(props: { readonly file: TrayFile; readonly text: Signal<string> }) {
  const { file } = props;
  const pageCount = file.inspection.value?.pages;
  if (pageCount === undefined || needsPassword(file)) return null;
  return <Pages file={file} text={props.text} pageCount={pageCount} />;
}

/** How many tones tell the files apart. */
const TONES = 5;

interface PagesProps {
  readonly file: TrayFile;
  readonly text: Signal<string>;
  readonly pageCount: number;
}

/** Pages that the mouse selects while its button is held. */
interface Drag {
  readonly from: number;
  /** The selection before. */
  readonly before: string;
  hasMoved: boolean;
}

function Pages({ file, text, pageCount }: PagesProps) {
  const list = useRef<HTMLDivElement>(null);
  const pictures = useMemo(() => new PagePictures(file), [file]);
  useEffect(() => () => pictures.close(), [pictures]);
  useEffect(() => watchPages(list.current, pictures), [pictures]);
  const groups = useComputed(() => pageGroups(text.value, pageCount));
  const fileOf = useComputed(
    () => new Map(groups.value.flatMap((group, index) => group.map((page) => [page, index + 1] as const))),
  );
  const active = useSignal(1);
  const anchor = useSignal(1);
  const zoomed = useSignal<number | undefined>(undefined);
  const drag = useRef<Drag | undefined>(undefined);

  const choose = (page: number, isRange: boolean) => {
    text.value = isRange
      ? addRange(text.value, [anchor.value, page], pageCount)
      : togglePage(text.value, page, pageCount);
    if (!isRange) anchor.value = page;
    active.value = page;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = stepOf(event.key, list.current);
    if (step !== undefined) {
      event.preventDefault();
      active.value = Math.max(1, Math.min(pageCount, active.value + step));
      list.current?.querySelector<HTMLElement>(`[data-page="${active.value}"]`)?.focus();
    } else if (event.key === "Enter") {
      event.preventDefault();
      choose(active.value, event.shiftKey);
    } else if (event.key === " ") {
      event.preventDefault();
      zoomed.value = active.value;
    }
  };

  return (
    <>
      <p class="hint" id="grid-result" role="status">
        {groups.value.length > 0 && t("split.result", { count: groups.value.length })}
      </p>
      <div
        class="page-grid"
        ref={list}
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
        {Array.from({ length: pageCount }, (_, index) => {
          const page = index + 1;
          const number = fileOf.value.get(page);
          return (
            <div
              key={page}
              class="page"
              role="option"
              data-page={page}
              data-tone={number === undefined ? undefined : number % TONES}
              aria-selected={number !== undefined}
              tabIndex={active.value === page ? 0 : -1}
            >
              <Picture url={pictures.urlOf(page)} />
              <span class="page-number">
                <span class="visually-hidden">{t("split.page", { page })} </span>
                <span aria-hidden="true">{page}</span>
                {number !== undefined && <span class="page-file">{t("split.file", { number })}</span>}
              </span>
            </div>
          );
        })}
      </div>
      <PageZoom file={file} page={zoomed} />
    </>
  );
}

function Picture({ url }: { readonly url: Signal<string | undefined> }) {
  return (
    <span class="page-picture">
      {url.value !== undefined && <img src={url.value} alt="" draggable={false} />}
    </span>
  );
}

/** Returns the page that an event is at. */
function pageAt(target: EventTarget | null): number | undefined {
  const page = target instanceof Element ? target.closest<HTMLElement>(".page") : null;
  return page === null ? undefined : Number(page.dataset.page);
}

/** Draws the pages that are in view, or nearly. Returns what ends it. */
function watchPages(list: HTMLElement | null, pictures: PagePictures): () => void {
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        if (target instanceof HTMLElement) pictures.setVisible(Number(target.dataset.page), isIntersecting);
      }
    },
    { rootMargin: "300px 0px" },
  );
  for (const page of list?.children ?? []) observer.observe(page);
  return () => observer.disconnect();
}

/** Returns by how many pages a key moves. */
function stepOf(key: string, list: HTMLElement | null): number | undefined {
  const columns = list === null ? 1 : getComputedStyle(list).gridTemplateColumns.split(" ").length;
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
