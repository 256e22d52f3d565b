import { t } from "../messages/index.ts";
import { isImageFormat } from "../state/formats.ts";
import { mergeChoice, splitChoice } from "../state/page-choice.ts";
import { screenPicture } from "../state/pictures.ts";
import { fileKind, isBeingInspected, needsPassword, shownFile, targetFormat, task } from "../state/task.ts";
import { type TrayFile, trayFiles } from "../state/tray.ts";
import { WithName } from "./file-name.tsx";
import { Icon } from "./icon.tsx";
import { lazily } from "./lazily.tsx";
import { MergeSequence } from "./merge-sequence.tsx";
import { usePicture } from "./use-picture.ts";

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
  if (task.value === undefined)
    return (
      <p class="hint">{t(trayFiles.value.some(isBeingInspected) ? "action.looking" : "action.nothing")}</p>
    );
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
