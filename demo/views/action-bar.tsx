import { t } from "../messages/index.ts";
import { cancelAll } from "../state/calls.ts";
import { formatName } from "../state/formats.ts";
import { tally } from "../state/jobs.ts";
import { split } from "../state/options.ts";
import { organizedPages } from "../state/organize.ts";
import { pagesInOrder } from "../state/page-groups.ts";
import { outdatedCount, startable, taskResults } from "../state/results.ts";
import { isSheetOpen, setSheet } from "../state/sheet.ts";
import { isWorkShown, showResult } from "../state/shown-result.ts";
import { selectionOf } from "../state/split-selection.ts";
import { fileKind, targetFormat, task } from "../state/task.ts";
import { Icon } from "./icon.tsx";

/** The bar at the bottom: the button that starts, then the progress. */
export function ActionBar() {
  return <div class="action-bar">{isWorkShown.value ? <Working /> : <Idle />}</div>;
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
      {outdatedCount.value > 0 && (
        <p class="bar-text">{t("action.outdated", { count: outdatedCount.value })}</p>
      )}
      {taskResults.value.length > 0 && (
        <button type="button" class="button" onClick={showResult}>
          {t("result.show")}
        </button>
      )}
      {count > 0 && (
        <button type="submit" class="button primary" id="start">
          {startLabel(count)}
        </button>
      )}
    </>
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
