import "../styles/merge.css";
import { useRef } from "preact/hooks";
import { t } from "../messages/index.ts";
import { chosenParts } from "../state/chosen-parts.ts";
import { formatName } from "../state/formats.ts";
import type { MergePart } from "../state/merge-parts.ts";
import { chosenFile, shownFile } from "../state/task.ts";
import type { TrayFile } from "../state/tray.ts";
import { dragOrder } from "./drag-order.ts";
import { useThumbnail } from "./use-thumbnail.ts";

/** The merged PDF before it is made: the first page of each file, in order. A file is dragged to another place, or chosen. */
export function MergeSequence() {
  return (
    <ol class="sequence" aria-label={t("merge.sequence")}>
      {chosenParts.value.map((part) => (
        <li
          key={part.file.id}
          title={part.file.file.name}
          data-shown={shownFile.value === part.file ? "" : undefined}
          {...dragOrder(part.file)}
          {...chooseByClick(part.file)}
        >
          <FirstPage {...part} />
          <p class="sequence-pages">{pagesText(part)}</p>
          <p class="sequence-name">{part.file.file.name}</p>
        </li>
      ))}
    </ol>
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

function FirstPage({ file, pages, firstPage, page }: MergePart) {
  const picture = useRef<HTMLDivElement>(null);
  const url = useThumbnail(picture, file, firstPage);
  const { width, height } = page;
  const longest = Math.max(width, height);
  return (
    <div class="sequence-picture" ref={picture}>
      <div
        class="sequence-page"
        data-several={pages !== undefined && pages > 1 ? "" : undefined}
        style={{ width: `${(100 * width) / longest}%`, height: `${(100 * height) / longest}%` }}
      >
        {url === undefined ? formatOf(file) : <img src={url} alt="" draggable={false} />}
      </div>
    </div>
  );
}

function formatOf({ inspection }: TrayFile): string {
  return inspection.value === undefined ? "" : formatName(inspection.value.format);
}

/** Returns the page numbers of a file in the merged PDF. Empty if they are not known. */
function pagesText({ first, pages }: MergePart): string {
  if (first === undefined || pages === undefined) return "";
  return t("merge.pages", { count: pages, first, last: first + pages - 1 });
}
