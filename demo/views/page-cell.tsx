import type { ReadonlySignal } from "@preact/signals";
import { t } from "../messages/index.ts";
import { type GridLayout, placeOf } from "../state/grid-layout.ts";

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
  readonly isActive: boolean;
}) {
  const { page, layout, fileNumber } = props;
  const url = props.picture.value;
  const { left, top } = placeOf(page, layout);
  return (
    <div
      class="page"
      role="option"
      data-page={page}
      data-tone={fileNumber === undefined ? undefined : fileNumber % TONES}
      aria-selected={fileNumber !== undefined}
      aria-posinset={page}
      aria-setsize={props.pageCount}
      tabIndex={props.isActive ? 0 : -1}
      style={{
        left: `${left}px`,
        top: `${top}px`,
        width: `${layout.cellWidth}px`,
        height: `${layout.cellHeight}px`,
      }}
    >
      <span class="page-picture">{url !== undefined && <img src={url} alt="" draggable={false} />}</span>
      <span class="page-number">
        <span class="visually-hidden">{t("split.page", { page })} </span>
        <span aria-hidden="true">{page}</span>
        {fileNumber !== undefined && <span class="page-file">{t("split.file", { number: fileNumber })}</span>}
      </span>
    </div>
  );
}
