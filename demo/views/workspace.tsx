import "../styles/fields.css";
import "../styles/workspace.css";
import "../styles/tray.css";
import { useEffect } from "preact/hooks";
import { start } from "../browser/start.ts";
import { t } from "../messages/index.ts";
import { action } from "../state/action.ts";
import { isWorking, tally } from "../state/jobs.ts";
import { losesWithPage } from "../state/leaving.ts";
import { largerCount, outdatedCount } from "../state/results.ts";
import { isResultShown, isSheetOpen, showResult } from "../state/shown-result.ts";
import { retryThumbnails, yieldToJobs } from "../state/thumbnails.ts";
import { ActionBar } from "./action-bar.tsx";
import { lazily } from "./lazily.tsx";
import { OptionsPane } from "./options-pane.tsx";
import { Stage } from "./stage.tsx";
import { Tray } from "./tray.tsx";

/** Loaded with the first result. */
const ResultPlace = lazily(async () => (await import("./result-place.tsx")).ResultPlace);

/** The page with files: the files, what the task does, its options, and the bar at the bottom. */
export function Workspace() {
  useEffect(() => yieldToJobs(isWorking), []);
  useEffect(askBeforeLeaving, []);
  useEffect(() => {
    addEventListener("online", retryThumbnails);
    return () => removeEventListener("online", retryThumbnails);
  }, []);
  return (
    <>
      <form
        class="panes"
        data-sheet={isSheetOpen.value ? "open" : "closed"}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          press();
        }}
      >
        <Tray />
        {isResultShown.value ? (
          <ResultPlace />
        ) : (
          <>
            <Stage />
            <OptionsPane />
            <ActionBar />
          </>
        )}
      </form>
      <Summary />
    </>
  );
}

/** Does what the button at the bottom does. Enter in a field presses it, too. */
function press(): void {
  const kind = action.value?.kind;
  if (isResultShown.value || kind === undefined || kind === "running") return;
  if (kind === "done") showResult();
  else void start();
}

/** Lets the browser ask before a page is closed that something would be lost with. Returns what ends this. */
function askBeforeLeaving(): () => void {
  const ask = (event: BeforeUnloadEvent) => {
    if (losesWithPage.value) event.preventDefault();
  };
  addEventListener("beforeunload", ask);
  return () => removeEventListener("beforeunload", ask);
}

/** Live regions: screen readers announce when jobs start, when all have ended, and when a changed option outdates results. */
function Summary() {
  const { total, ready, failed } = tally.value;
  const larger = largerCount.value;
  const texts = isWorking.value
    ? [t("action.working", { count: total })]
    : [
        ready > 0 && t("action.ready", { count: ready }),
        ready > 0 && larger > 0 && t("action.larger", { count: larger }),
        failed > 0 && t("action.failed", { count: failed }),
      ];
  const outdated = outdatedCount.value;
  return (
    <>
      <p class="visually-hidden" role="status" id="summary">
        {texts.filter(Boolean).join(". ")}
      </p>
      <p class="visually-hidden" role="status">
        {outdated > 0 && t("action.outdated", { count: outdated })}
      </p>
    </>
  );
}
