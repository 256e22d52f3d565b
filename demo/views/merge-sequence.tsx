import "../styles/merge.css";
import { useComputed } from "@preact/signals";
import { useRef } from "preact/hooks";
import { t } from "../messages/index.ts";
import { formatName } from "../state/formats.ts";
import { chosenParts, type MergePart } from "../state/merge-parts.ts";
import { chosenFile, shownFile } from "../state/task.ts";
import type { TrayFile } from "../state/tray.ts";
import { useDragOrder } from "./drag-order.ts";
import { FileName } from "./file-name.tsx";
import { useThumbnail } from "./use-thumbnail.ts";

/** The merged PDF before it is made: the first page of each file, in order. A file is dragged to another place, or chosen. */
export function MergeSequence() {
  return (
    <ol class="sequence" aria-label={t("merge.sequence")}>
      {chosenParts.value.map(({ page, ...part }) => (
        <Part key={part.file.id} {...part} ratio={page.width / page.height} />
      ))}
    </ol>
  );
}

/** A part of the merged PDF. Its properties are plain values, so that it is drawn again only when one of them changes. */
interface PartProps extends Omit<MergePart, "page"> {
  /** The width of its first page by the height. */
  readonly ratio: number;
}

function Part(part: PartProps) {
  const { file } = part;
  const isShown = useComputed(() => shownFile.value === file).value;
  return (
    <li data-shown={isShown ? "" : undefined} {...useDragOrder(file)} {...chooseByClick(file)}>
      <FirstPage {...part} />
      <p class="sequence-pages">{pagesText(part)}</p>
      <p class="sequence-name">
        <FileName name={file.file.name} />
      </p>
    </li>
  );
}

/** Returns the attributes of an element that shows its file by a click. The keys do the same in the list of files. */
function chooseByClick(file: TrayFile) {
  return {
    onClick: () => {
      chosenFile.value = file;
    },
  };
}

function FirstPage({ file, pages, firstPage, ratio }: PartProps) {
  const picture = useRef<HTMLDivElement>(null);
  const url = useThumbnail(picture, file, firstPage);
  const format = file.inspection.value?.format;
  return (
    <div class="sequence-picture" ref={picture}>
      <div
        class="sequence-page"
        data-several={pages !== undefined && pages > 1 ? "" : undefined}
        style={{ width: `${100 * Math.min(1, ratio)}%`, height: `${100 / Math.max(1, ratio)}%` }}
      >
        {url === undefined ? format && formatName(format) : <img src={url} alt="" draggable={false} />}
      </div>
    </div>
  );
}

/** Returns the page numbers of a file in the merged PDF. Empty if they are not known. */
function pagesText({ first, pages }: PartProps): string {
  if (first === undefined || pages === undefined) return "";
  return t("merge.pages", { count: pages, first, last: first + pages - 1 });
}
