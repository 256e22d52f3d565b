import { canSaveToFolder, canShare, saveAll, saveToFolder, shareAll } from "../browser/save.ts";
import { language, t } from "../messages/index.ts";
import { cancelAll } from "../state/calls.ts";
import { formatName, readableSize, shortName, sizeChange } from "../state/formats.ts";
import { isWorking, tally } from "../state/jobs.ts";
import { attempt } from "../state/notice.ts";
import { split } from "../state/options.ts";
import { organizedPages } from "../state/organize.ts";
import { pagesInOrder } from "../state/page-groups.ts";
import {
  comparableSize,
  currentResults,
  failedCount,
  largerCount,
  outdatedCount,
  startable,
} from "../state/results.ts";
import { isSheetOpen, setSheet } from "../state/sheet.ts";
import { selectionOf } from "../state/split-selection.ts";
import { fileKind, targetFormat, task } from "../state/task.ts";
import { Icon } from "./icon.tsx";

/** How many characters of a name its button shows. */
const LONGEST_NAME = 28;

/** The bar at the bottom: the button that starts, then the progress, then the buttons that save. */
export function ActionBar() {
  return <div class="action-bar">{isWorking.value ? <Working /> : <Idle />}</div>;
}

function Working() {
  const { total, ready, failed } = tally.value;
  const done = ready + failed;
  return (
    <>
      <progress
        class="bar-progress"
        value={done}
        max={total}
        aria-label={t("action.progress", { done, total })}
      />
      <span class="bar-text">{t("action.progress", { done, total })}</span>
      <button type="button" class="button" onClick={cancelAll}>
        {t(total === 1 ? "action.cancel" : "action.cancelAll")}
      </button>
    </>
  );
}

function Idle() {
  const { length: count } = startable.value;
  const hasResults = currentResults.value.length > 0;
  return (
    <>
      {task.value !== undefined && (
        <button
          type="button"
          class="button sheet-toggle"
          aria-expanded={isSheetOpen.value}
          onClick={() => setSheet(!isSheetOpen.value)}
        >
          {t("action.options")}
          <Icon name="more" />
        </button>
      )}
      {(hasResults || outdatedCount.value > 0) && <Outcome />}
      {hasResults && <SaveButtons isMain={count === 0} />}
      {count > 0 && (
        <button type="submit" class="button primary" id="start">
          {startLabel(count)}
        </button>
      )}
    </>
  );
}

function SaveButtons({ isMain }: { readonly isMain: boolean }) {
  const files = currentResults.value.map(({ state }) => state.output);
  const [only, ...others] = files;
  return (
    <>
      {files.length > 1 && canSaveToFolder() && (
        <button
          type="button"
          class="button folder"
          onClick={() => void attempt(saveToFolder(), "notice.notSaved")}
        >
          {t("action.folder")}
        </button>
      )}
      {canShare(files) && (
        <button type="button" class="button" onClick={() => void attempt(shareAll(), "notice.notSaved")}>
          {t("action.share")}
        </button>
      )}
      <button
        type="button"
        id="save-all"
        class={`button ${isMain ? "primary" : ""}`}
        onClick={() => void attempt(saveAll(), "notice.notSaved")}
      >
        {only && others.length === 0 ? <SaveLabel name={only.name} /> : <span>{t("action.saveAll")}</span>}
      </button>
    </>
  );
}

/** The text of the button that saves the only result. On a phone, the row has the name. */
function SaveLabel({ name }: { readonly name: string }) {
  return (
    <>
      <span class="save-name">{t("action.save", { name: shortName(name, LONGEST_NAME) })}</span>
      <span class="save-short">{t("action.saveShort")}</span>
    </>
  );
}

/** How many files are ready or saved, and their size. What is not right: results that are larger, failed or left out. */
function Outcome() {
  const states = currentResults.value.map(({ state }) => state);
  const { length: count } = states;
  const isSaved = states.every((state) => state.isSaved);
  const size = states.reduce((sum, { output }) => sum + output.size, 0);
  const before = comparableSize.value;
  const change = before === undefined ? "" : sizeChange(before, size, language());
  const failed = failedCount.value;
  const larger = largerCount.value;
  const outdated = outdatedCount.value;
  return (
    <p class={count === 1 ? "bar-text single" : "bar-text"}>
      {count > 0 && (
        <>
          <strong>{t(isSaved ? "action.saved" : "action.ready", { count })}</strong>
          <span>
            {readableSize(size, language())}
            {change && `, ${change}`}
          </span>
        </>
      )}
      {larger > 0 && <span>{t("action.larger", { count: larger })}</span>}
      {outdated > 0 && <span>{t("action.outdated", { count: outdated })}</span>}
      {failed > 0 && <span class="bar-failed">{t("action.failed", { count: failed })}</span>}
    </p>
  );
}

/** Returns the text of the button that starts. `count` is the number of files. */
export function startLabel(count: number): string {
  switch (task.value) {
    case "convert":
      return t("action.convert", {
        count,
        format: targetFormat.value === "txt" ? t("convert.text") : formatName(targetFormat.value),
      });
    case "organize":
      return t("action.together", { count: organizedPages.value.length });
    case "merge":
      return t(
        startable.value.every((file) => fileKind(file) === "image") ? "action.onePdf" : "action.merge",
        {
          count,
        },
      );
    case undefined:
      return "";
    default:
      if (task.value === "split" && split.way.value === "together") return togetherLabel();
      return t(`action.${task.value}`, { count });
  }
}

/** Returns the text of the button that puts the selected pages of each file into one. */
function togetherLabel(): string {
  const [file, ...others] = startable.value;
  if (others.length > 0) return t("action.pdfs", { count: others.length + 1 });
  const pageCount = file?.inspection.value?.pages ?? 0;
  const { length: count } = pagesInOrder(file === undefined ? "" : selectionOf(file), pageCount);
  return count === 0 ? t("action.onePdf") : t("action.together", { count });
}
