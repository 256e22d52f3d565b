import { t } from "../messages/index.ts";
import { seal } from "../state/client.ts";
import { isImageFormat } from "../state/formats.ts";
import { mergeChoice, splitChoice } from "../state/page-choice.ts";
import { fileKind, isBeingInspected, needsPassword, shownFile, targetFormat, task } from "../state/task.ts";
import { type TrayFile, trayFiles } from "../state/tray.ts";
import { WithName } from "./file-name.tsx";
import { FilePreview } from "./file-preview.tsx";
import { lazily } from "./lazily.tsx";
import { MergeSequence } from "./merge-sequence.tsx";

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
