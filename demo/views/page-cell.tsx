import type { ReadonlySignal } from "@preact/signals";
import { t } from "../messages/index.ts";
import type { GridLayout } from "../state/grid-layout.ts";
import { Icon } from "./icon.tsx";
import { cellStyle } from "./use-grid-view.ts";

/** How many tones tell the files apart. */
const TONES = 5;

/** One page in the grid. */
export function PageCell(props: {
  readonly page: number;
  readonly pageCount: number;
  readonly layout: GridLayout;
  /** The blob URL of its picture, once it is drawn. */
  readonly picture: ReadonlySignal<string | undefined>;
  /** The number of the file that gets the page. */
  readonly fileNumber: number | undefined;
  readonly fileName: string | undefined;
  /** The number that the page gets in the only file. */
  readonly place: number | undefined;
  /** Whether the page before is in the same file, and the page after. */
  readonly isJoinedBefore: boolean;
  readonly isJoinedAfter: boolean;
  readonly isActive: boolean;
}) {
  const { page, layout, fileNumber, fileName, place } = props;
  const url = props.picture.value;
  return (
    <div
      class="page"
      role="option"
      data-page={page}
      data-tone={toneOf(fileNumber)}
      data-joined={`${props.isJoinedBefore ? "before" : ""} ${props.isJoinedAfter ? "after" : ""}`}
      aria-selected={fileNumber !== undefined}
      aria-posinset={page}
      aria-setsize={props.pageCount}
      tabIndex={props.isActive ? 0 : -1}
      style={cellStyle(page, layout)}
    >
      <span class="page-picture">{url !== undefined && <img src={url} alt="" draggable={false} />}</span>
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
    </div>
  );
}

/** Returns the tone of a file. Neighboring files differ. */
export function toneOf(fileNumber: number | undefined): number | undefined {
  return fileNumber === undefined ? undefined : fileNumber % TONES;
}
