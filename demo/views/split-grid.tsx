import "../styles/split-grid.css";
import { useComputed, useSignal } from "@preact/signals";
import { useMemo, useRef } from "preact/hooks";
import { isTouch } from "../browser/window.ts";
import { t } from "../messages/index.ts";
import { type Chapter, chaptersOf } from "../state/chapters.ts";
import { pagesWith } from "../state/grid-layout.ts";
import { split } from "../state/options.ts";
import { chosenGroups, type PageChoice } from "../state/page-choice.ts";
import { filesByPage, invertPages, type PartFile, seamAfter } from "../state/page-groups.ts";
import { checkPages } from "../state/page-selection.ts";
import { needsPassword } from "../state/task.ts";
import { needsNetwork } from "../state/thumbnails.ts";
import type { TrayFile } from "../state/tray.ts";
import { Button } from "./button.tsx";
import { Icon } from "./icon.tsx";
import { into } from "./into-signal.ts";
import { PageCell, toneOf } from "./page-cell.tsx";
import { PageSeam } from "./page-seam.tsx";
import { PageZoom } from "./page-zoom.tsx";
import { pagesText } from "./row-facts.tsx";
import { useGridView } from "./use-grid-view.ts";
import { usePageKeys } from "./use-page-keys.ts";
import { usePagePointer } from "./use-page-pointer.ts";
import { usePageSelection } from "./use-page-selection.ts";

interface GridProps {
  readonly file: TrayFile;
  readonly choice: PageChoice;
}

/** The pages of a document, and the files that become of the chosen ones. The grid and the text of the choice are one state. */
export function SplitGrid({ file, choice }: GridProps) {
  const pageCount = file.inspection.value?.pages;
  if (needsPassword(file)) return null;
  if (pageCount === undefined) return <p class="hint">{t("split.noGrid")}</p>;
  return <Pages file={file} choice={choice} pageCount={pageCount} />;
}

function Pages({ file, choice, pageCount }: GridProps & { readonly pageCount: number }) {
  const list = useRef<HTMLFieldSetElement>(null);
  const grid = useGridView(list, { pageCount, pageRatio: pageRatioOf(file) }).value;
  const selection = usePageSelection(choice, pageCount);
  const { active } = selection;
  const isTogether = choice.way() === "together";
  const groups = useComputed(() => chosenGroups(choice, pageCount)).value;
  const files = useMemo(() => filesByPage(groups), [groups]);
  // None for a selection that would be refused.
  const fileCount = checkPages(choice.text(), pageCount) ? 0 : groups.length;
  const chapters = !choice.isFree() && split.way.value === "outline" ? chaptersOf(file) : [];
  const zoomed = useSignal<number | undefined>(undefined);
  const showLarge = into(zoomed);
  const pointer = usePagePointer({ ...selection, showLarge });
  const focus = { active, pageCount, columns: grid?.layout.columns ?? 1 };
  const onKeyDown = usePageKeys(list, focus, { ...selection, showLarge });
  // Where all pages become one file, there is nothing to cut.
  const isJoined = (page: number) => !isTogether && seamAfter(page, files) === "joined";
  // Tab reaches the active page wherever it is.
  const pages = grid ? pagesWith(active, grid.near) : [];

  return (
    <>
      <div class="stage-bar">
        <p id="grid-result" role="status">
          {fileCount > 0 &&
            (choice.hasOthers
              ? pagesText(file, pageCount)
              : resultText(fileCount, isTogether, files.size, pageCount))}
        </p>
        {choice.isFree() && <QuickSelection choice={choice} pageCount={pageCount} />}
        <p class="hint">{hintText(choice)}</p>
        <p class="hint" id="grid-offline" role="status">
          {needsNetwork.value && t("split.offline")}
        </p>
      </div>
      <fieldset
        class="page-grid scissors"
        ref={list}
        style={{ height: `${grid?.layout.height ?? 0}px` }}
        onKeyDown={onKeyDown}
        {...pointer}
      >
        <div
          class="pages"
          role="listbox"
          aria-multiselectable="true"
          aria-label={t("split.grid", { name: file.file.name })}
        >
          {grid &&
            pages.map((page) => (
              <PageCell
                key={page}
                file={file}
                page={page}
                place={page}
                pageCount={pageCount}
                layout={grid.layout}
                isSelected={files.has(page)}
                isActive={active === page}
                data-page={page}
                data-tone={toneOf(files.get(page)?.number)}
                data-joined={`${isJoined(page - 1) ? "before" : ""} ${isJoined(page) ? "after" : ""}`}
              >
                <PageLine
                  page={page}
                  fileName={isTogether ? undefined : nameOf(files.get(page), chapters)}
                  place={isTogether && !choice.hasOthers ? placeIn(files.get(page), page) : undefined}
                />
              </PageCell>
            ))}
        </div>
        {grid &&
          !isTogether &&
          pages
            .filter((page) => page < pageCount)
            .map((page) => (
              <PageSeam
                key={page}
                page={page}
                layout={grid.layout}
                seam={seamAfter(page, files)}
                fileNumber={files.get(page)?.number}
                isActive={active === page}
              />
            ))}
      </fieldset>
      <PageZoom file={file} page={zoomed} pageCount={pageCount} />
    </>
  );
}

/** What the grid says below a page: its number, the file that gets it, or the number that it gets in the only file. */
function PageLine(props: {
  readonly page: number;
  readonly fileName: string | undefined;
  readonly place: number | undefined;
}) {
  const { page, fileName, place } = props;
  return (
    <>
      <span class="page-number">
        <span class="visually-hidden">{t("split.page", { page })} </span>
        <span aria-hidden="true">{page}</span>
        {fileName !== undefined && (
          <span class="page-file" title={fileName}>
            {fileName}
          </span>
        )}
        {place !== undefined && (
          <span class="page-file">
            <span class="visually-hidden">{t("split.place", { place })}</span>
            <span class="page-place" aria-hidden="true">
              <Icon name="right" />
              {place}
            </span>
          </span>
        )}
      </span>
      {/* For the mouse. Space does the same, and a long press. */}
      <span class="page-magnifier">
        <Icon name="search" />
      </span>
    </>
  );
}

/** Buttons for the pointer that select many pages at once. With the keys, the pages or the same words are typed. */
function QuickSelection(props: { readonly choice: PageChoice; readonly pageCount: number }) {
  const { choice, pageCount } = props;
  const words: readonly (readonly [string, () => string])[] = [
    ...(["all", "odd", "even"] as const).map(
      (word) => [t(`pages.${word}`), () => t(`pages.${word}`)] as const,
    ),
    [t("split.invert"), () => invertPages(choice.text(), pageCount)],
  ];
  return (
    <fieldset class="quick">
      <legend class="visually-hidden">{t("split.choose")}</legend>
      {words.map(([name, select]) => (
        <Button key={name} class="quiet" tabIndex={-1} text={name} onClick={() => choice.set(select())} />
      ))}
    </fieldset>
  );
}

/** Says what comes out: how many files, with how many of the pages. */
function resultText(fileCount: number, isTogether: boolean, count: number, pageCount: number): string {
  if (isTogether) return t("merge.result", { count });
  const isWhole = fileCount === 1 && count === pageCount;
  return isWhole ? t("split.whole", { count }) : t("split.result", { count: fileCount });
}

function hintText({ hasOthers, way }: PageChoice): string {
  if (hasOthers) return t(isTouch() ? "merge.touchHint" : "merge.gridHint");
  if (way() === "together") return t(isTouch() ? "split.touchOrder" : "split.gridOrder");
  return t(isTouch() ? "split.touchHint" : "split.gridHint");
}

/** Returns the number that a page gets in a file, from 1. */
function placeIn(file: PartFile | undefined, page: number): number | undefined {
  return file && file.pages.indexOf(page) + 1;
}

/** Returns the name of a file that comes out: the title of its chapter, or its number. */
function nameOf(file: PartFile | undefined, chapters: readonly Chapter[]): string | undefined {
  if (file === undefined) return undefined;
  const chapter = chapters[file.number - 1];
  if (chapter !== undefined && chapter.title === undefined) return t("split.beginning");
  return chapter?.title || t("split.file", { number: file.number });
}

/** Returns the height of the tallest page by its width, so that all pages fit into cells of one size. */
function pageRatioOf({ inspection }: TrayFile): number {
  const sizes = inspection.value?.page_sizes ?? [];
  return sizes.length === 0 ? Math.SQRT2 : Math.max(...sizes.map(({ width, height }) => height / width));
}
