import type { ComponentChildren, ComponentProps } from "preact";
import { useRef } from "preact/hooks";
import { type GridLayout, placeOf } from "../state/grid-layout.ts";
import type { TrayFile } from "../state/tray.ts";
import { useThumbnail } from "./use-thumbnail.ts";

/** How many tones tell the files apart. */
const TONES = 5;

/** One page in a grid: its picture, and what the grid says of it. */
export function PageCell({
  file,
  page,
  place,
  pageCount,
  layout,
  isSelected,
  isActive,
  turn = 0,
  children,
  ...attributes
}: ComponentProps<"div"> & {
  readonly file: TrayFile;
  /** Its number in the file, and its place in the grid. Both begin at 1. */
  readonly page: number;
  readonly place: number;
  readonly pageCount: number;
  readonly layout: GridLayout;
  readonly isSelected: boolean;
  /** Whether Tab reaches it. */
  readonly isActive: boolean;
  /** How far it is turned, in degrees clockwise. */
  readonly turn?: number;
  readonly children: ComponentChildren;
}) {
  const cell = useRef<HTMLDivElement>(null);
  const url = useThumbnail(cell, file, page, true);
  const { left, top } = placeOf(place, layout);
  const { cellWidth: width, cellHeight: height } = layout;
  return (
    <div
      {...attributes}
      ref={cell}
      class="page"
      role="option"
      aria-selected={isSelected}
      aria-posinset={place}
      aria-setsize={pageCount}
      tabIndex={isActive ? 0 : -1}
      style={{ left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` }}
    >
      <span class="page-picture" style={turn === 0 ? undefined : { rotate: `${turn}deg` }}>
        {url !== undefined && <img src={url} alt="" draggable={false} />}
      </span>
      {children}
    </div>
  );
}

/** Returns the tone of a file. Neighboring files differ. */
export function toneOf(fileNumber: number | undefined): number | undefined {
  return fileNumber === undefined ? undefined : fileNumber % TONES;
}
