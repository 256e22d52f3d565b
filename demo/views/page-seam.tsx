import { t } from "../messages/index.ts";
import { type GridLayout, placeOf } from "../state/grid-layout.ts";
import type { Seam } from "../state/page-groups.ts";
import { Icon } from "./icon.tsx";
import { toneOf } from "./page-cell.tsx";

/** The scissors between a page and the next one. They cut there, or undo the cut. */
export function PageSeam(props: {
  /** The page before. */
  readonly page: number;
  readonly layout: GridLayout;
  readonly seam: Seam;
  /** The number of the file that has both pages. */
  readonly fileNumber: number | undefined;
  readonly isActive: boolean;
}) {
  const { page, layout, seam } = props;
  // Two files that cannot be one stay as they are.
  if (seam === "apart") return null;
  const { left, top } = placeOf(page, layout);
  const label = t(seam === "cut" ? "split.join" : "split.cut", { page, next: page + 1 });
  return (
    <button
      type="button"
      class="seam"
      data-after={page}
      data-seam={seam}
      data-tone={seam === "joined" ? toneOf(props.fileNumber) : undefined}
      aria-label={label}
      title={label}
      tabIndex={props.isActive ? 0 : -1}
      style={{
        left: `${left + layout.cellWidth}px`,
        top: `${top}px`,
        width: `${layout.columnStep - layout.cellWidth}px`,
        height: `${layout.cellHeight}px`,
      }}
    >
      <Icon name="scissors" />
    </button>
  );
}
