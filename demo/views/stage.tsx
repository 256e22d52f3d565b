import { t } from "../messages/index.ts";
import { seal } from "../state/client.ts";
import { formatName, isImageFormat } from "../state/formats.ts";
import { mergeChoice, splitChoice } from "../state/page-choice.ts";
import { screenPicture } from "../state/pictures.ts";
import {
  chosenFile,
  fileKind,
  isBeingInspected,
  needsPassword,
  shownFile,
  targetFormat,
  task,
} from "../state/task.ts";
import { type TrayFile, trayFiles } from "../state/tray.ts";
import { FileName, WithName } from "./file-name.tsx";
import { Icon } from "./icon.tsx";
import { lazily } from "./lazily.tsx";
import { usePicture } from "./use-picture.ts";
import "../styles/merge.css";
import { useComputed } from "@preact/signals";
import { useRef } from "preact/hooks";
import { chosenParts, type MergePart } from "../state/merge-parts.ts";
import { useDragOrder } from "./drag-order.ts";
import { useThumbnail } from "./use-picture.ts";

const OrganizeGrid = lazily(async () => (await import("./organize-grid.tsx")).OrganizeGrid);
const SplitGrid = lazily(async () => (await import("./split-grid.tsx")).SplitGrid);
const ComparisonStage = lazily(async () => (await import("./comparison-stage.tsx")).ComparisonStage);

/** The middle of the page: what the task does, shown at a file or at all of them. */
export function Stage() {
  return (
    <section
      class="stage"
      aria-label={t("stage.label")}
      // The arrow keys scroll it. The other stages have what Tab reaches.
      tabIndex={task.value === "merge" ? 0 : undefined}
    >
      <StageContent />
    </section>
  );
}

function StageContent() {
  const file = shownFile.value;
  if (task.value === undefined) {
    if (!trayFiles.value.some(isBeingInspected)) return <p class="hint">{t("action.nothing")}</p>;
    // On a narrow screen, the header does not say it.
    return <p class="hint">{t(seal.value === "trying" ? "app.sealing" : "action.looking")}</p>;
  }
  if (task.value === "merge") return <MergeStage />;
  if (task.value === "organize") return <OrganizeGrid />;
  if (file === undefined) return null;
  if (task.value === "split") return <SplitGrid key={file.id} file={file} choice={splitChoice(file)} />;
  if (task.value === "convert" && isPictureOfPicture(file)) {
    return <ComparisonStage key={file.id} file={file} />;
  }
  return <FilePreview key={file.id} file={file} />;
}

/** The merged PDF in small, and the pages of the file that is shown, to choose those that come in. */
function MergeStage() {
  const file = shownFile.value;
  const hasPages = file !== undefined && fileKind(file) === "pdf" && !needsPassword(file);
  return (
    <>
      <MergeSequence />
      {hasPages && (
        <section class="merge-pages">
          <h3>
            <WithName text={t("split.grid", { name: file.file.name })} name={file.file.name} />
          </h3>
          <SplitGrid key={file.id} file={file} choice={mergeChoice(file)} />
        </section>
      )}
    </>
  );
}

/** Whether a picture becomes a picture, so that both can be compared. */
function isPictureOfPicture(file: TrayFile): boolean {
  return fileKind(file) === "image" && isImageFormat(targetFormat.value);
}

/** The first page of a document, or a picture. A task with a password shows a lock on it. */
function FilePreview({ file }: { readonly file: TrayFile }) {
  const canBeDrawn = fileKind(file) !== "office" && !needsPassword(file);
  const { url, needsNetwork } = usePicture(
    canBeDrawn ? (signal) => screenPicture(file, signal) : undefined,
    file,
  );
  const lock = task.value === "protect" || task.value === "unlock" ? task.value : undefined;
  return (
    <div class="preview">
      <div class="preview-sheet" data-empty={url === undefined ? "" : undefined}>
        {url && <img src={url} alt={t("stage.firstPage", { name: file.file.name })} />}
        {lock && (
          <span class="preview-lock">
            <Icon name={lock} />
          </span>
        )}
      </div>
      {needsNetwork && <p class="hint">{t("split.offline")}</p>}
    </div>
  );
}

/** The merged PDF before it is made: the first page of each file, in order. A file is dragged to another place, or chosen. */
function MergeSequence() {
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
  return (
    <div class="sequence-picture" ref={picture}>
      <div
        class="sequence-page"
        data-several={pages !== undefined && pages > 1 ? "" : undefined}
        style={{ width: `${100 * Math.min(1, ratio)}%`, height: `${100 / Math.max(1, ratio)}%` }}
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
function pagesText({ first, pages }: PartProps): string {
  if (first === undefined || pages === undefined) return "";
  return t("merge.pages", { count: pages, first, last: first + pages - 1 });
}
