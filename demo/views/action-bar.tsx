import { useRef } from "preact/hooks";
import { language, t } from "../messages/index.ts";
import { type Action, action, type Outcome, outcome } from "../state/action.ts";
import { cancelAll } from "../state/calls.ts";
import { formatName, percentage } from "../state/formats.ts";
import { tally, workDone } from "../state/jobs.ts";
import { areImages } from "../state/merge-parts.ts";
import { split } from "../state/options.ts";
import { organizedPages } from "../state/organize.ts";
import { outdatedCount, startable, taskResults } from "../state/results.ts";
import { isSheetOpen, setSheet, showResult } from "../state/shown-result.ts";
import { targetFormat, task, taskFiles } from "../state/task.ts";
import { Button } from "./button.tsx";
import { Icon } from "./icon.tsx";

/** The bar at the bottom: left what will come out, right the button that starts. While jobs run, the button is their progress. */
export function ActionBar() {
  const now = action.value;
  return (
    <div class="action-bar">
      {now && (
        <>
          {/* On a narrow screen: opens and closes the options. */}
          <button
            type="button"
            class="button sheet-toggle"
            aria-expanded={isSheetOpen.value}
            onClick={() => setSheet(!isSheetOpen.value)}
          >
            {t("action.options")}
            <Icon name="more" />
          </button>
          <BarText now={now} />
          {now.kind !== "running" && now.kind !== "done" && taskResults.value.length > 0 && (
            <Button class="quiet" text={t("result.show")} onClick={showResult} />
          )}
          {now.kind === "running" && (
            <Button
              class="icon cancel"
              icon="close"
              label={t(tally.value.total === 1 ? "action.cancel" : "action.cancelAll")}
              onClick={() => {
                cancelAll();
                document.getElementById("start")?.focus();
              }}
            />
          )}
          <StartButton now={now} />
        </>
      )}
    </div>
  );
}

/** What will come out, or why nothing can be started, and what is there of earlier settings. */
function BarText({ now }: { readonly now: Action }) {
  const outdated = outdatedCount.value;
  const [only, ...others] = taskFiles.value;
  const isKnown = now.kind !== "blocked" && outcome.value.count > 0;
  return (
    <p class="bar-text" id="bar-text">
      {isKnown && <strong>{outcomeText(outcome.value)}</strong>}
      {isKnown && only && others.length === 0 && <span>{t("outcome.from", { name: only.file.name })}</span>}
      {now.kind === "blocked" && now.reason.name && <span>{`${now.reason.name}: `}</span>}
      {now.kind === "blocked" && <span>{t(now.reason.message, now.reason.values)}</span>}
      {outdated > 0 && <span>{t("action.outdated", { count: outdated })}</span>}
    </p>
  );
}

function outcomeText({ kind, count, pages }: Outcome): string {
  const files = t(`outcome.${kind}`, { count });
  return pages > 0 ? `${files}, ${t("row.pages", { count: pages })}` : files;
}

/** The button that starts. It stays the same element, and as wide as its text, so that nothing else comes under a second click. */
function StartButton({ now: { kind } }: { readonly now: Action }) {
  const isRunning = kind === "running";
  const label = useRef("");
  if (!isRunning) label.current = kind === "done" ? t("result.show") : startLabel(startable.value.length);
  return (
    <button
      type="submit"
      class="button primary"
      id="start"
      data-state={kind}
      aria-disabled={isRunning || kind === "blocked" ? "true" : undefined}
      aria-describedby="bar-text"
      style={{ "--done": isRunning ? workDone.value : 0 }}
    >
      <span class="start-label">{label.current}</span>
      {isRunning && <span>{progressText()}</span>}
    </button>
  );
}

/** Returns how many jobs are done, or how far the only one is. */
function progressText(): string {
  const { total, ready, failed } = tally.value;
  if (total > 1) return t("action.progress", { done: ready + failed, total });
  return workDone.value > 0 ? percentage(workDone.value, 1, language()) : t("row.working");
}

/** Returns the text of the button that starts. `count` is the number of files. */
function startLabel(count: number): string {
  switch (task.value) {
    case "convert":
      return t("action.convert", {
        count,
        format: formatName(targetFormat.value),
      });
    case "organize":
      return t("action.together", { count: organizedPages.value.length });
    case "merge":
      return t(areImages.value ? "action.onePdf" : "action.merge", { count });
    case undefined:
      return "";
    default:
      if (task.value === "split" && split.way.value === "together") return togetherLabel();
      return t(`action.${task.value}`, { count });
  }
}

/** Returns the text of the button that puts the selected pages of each file into one. */
function togetherLabel(): string {
  const { pages } = outcome.value;
  if (taskFiles.value.length > 1) return t("action.pdfs", { count: startable.value.length });
  return pages > 0 ? t("action.together", { count: pages }) : t("action.onePdf");
}
