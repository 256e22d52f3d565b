import { useEffect } from "preact/hooks";
import { isTouch } from "../browser/window.ts";
import { language, t } from "../messages/index.ts";
import { readableSize } from "../state/formats.ts";
import { keepEverything, offline, updateOfflineState } from "../state/offline.ts";
import { chosenTask } from "../state/task.ts";
import { TASKS } from "../state/task-list.ts";
import { Button } from "./button.tsx";
import { FileInput } from "./file-input.tsx";
import { Icon } from "./icon.tsx";
import { lazily } from "./lazily.tsx";
import { promise } from "./page-header.tsx";

/** Loaded if there are presets. */
const PresetList = lazily(async () => (await import("./preset-list.tsx")).PresetList);

/** The page without files: what it is, where files are dropped, and the tasks. */
export function Empty() {
  const onTouch = isTouch();
  return (
    <>
      <section class="hero">
        <div>
          <h1>{t("app.headline")}</h1>
          <p class="lead">{promise()}</p>
          <ul class="facts">
            {(["fact.upload", "fact.account", "fact.offline"] as const).map((fact) => (
              <li key={fact}>
                <Icon name="check" />
                {t(fact)}
              </li>
            ))}
          </ul>
        </div>
        <div class="welcome">
          <Sheets />
          <h2>{t(onTouch ? "empty.titleTouch" : "empty.title")}</h2>
          <p class="hint">{t(onTouch ? "empty.typesTouch" : "empty.types")}</p>
          <FileInput id="file-input" class="primary">
            {t(onTouch ? "empty.chooseTouch" : "empty.choose")}
          </FileInput>
          {!onTouch && <p class="hint">{t("empty.paste")}</p>}
        </div>
      </section>
      {localStorage.getItem("stayput-presets") !== null && <PresetList />}
      <nav class="tiles" aria-labelledby="tiles-title">
        <h2 id="tiles-title">{t("empty.tasks")}</h2>
        <ul>
          {TASKS.map((task) => (
            <li key={task}>
              <a
                href={`#${task}`}
                class="tile"
                aria-current={chosenTask.value === task ? "true" : undefined}
                onClick={() => {
                  // An address that is there already does not change.
                  chosenTask.value = task;
                  document.querySelector<HTMLInputElement>("#file-input")?.click();
                }}
              >
                <span class="tile-icon">
                  <Icon name={task} />
                </span>
                <strong>{t(`task.${task}`)}</strong>
                <span>{t(`tile.${task}`)}</span>
              </a>
            </li>
          ))}
        </ul>
      </nav>
    </>
  );
}

/** Three sheets of paper, for the eye only. */
function Sheets() {
  return (
    <div class="sheets" aria-hidden="true">
      <span />
      <span />
      <span />
    </div>
  );
}

const SOURCE = "https://github.com/stayput/stayput";

/** An example to try, what works without a network, and where the source and the documentation are. */
export function PageFooter() {
  return (
    <footer class="page-footer">
      <Button class="quiet" text={t("empty.example")} onClick={() => void tryExamples()} />
      <OfflineNotice />
      <nav class="links" aria-label={t("footer.label")}>
        <a href={SOURCE}>{t("footer.source")}</a>
        <a href={`${SOURCE}/tree/main/docs#readme`} hreflang="en">
          {t("footer.docs")}
        </a>
      </nav>
    </footer>
  );
}

async function tryExamples(): Promise<void> {
  await (await import("../state/examples.ts")).takeExamples();
}

/** What is said of each state. */
const OFFLINE_TEXTS = {
  unknown: undefined,
  nothing: "offline.nothing",
  partly: "offline.partly",
  keeping: "offline.keeping",
  kept: "offline.kept",
  newer: "offline.newer",
  "not-kept": "offline.notKept",
} as const;

/** Says what works without a network, and offers to keep the rest. */
function OfflineNotice() {
  const state = offline.value;
  useEffect(() => {
    // Engines that tasks have used are kept meanwhile.
    if (offline.peek().kind === "partly") void updateOfflineState();
  }, []);
  // After a reload that skips the service worker, nothing can be kept.
  const canKeep =
    state.kind === "nothing" || (state.kind === "partly" && navigator.serviceWorker.controller !== null);
  const text = state.kind === "partly" && state.hasFailed ? "offline.failed" : OFFLINE_TEXTS[state.kind];
  const size = "missing" in state ? readableSize(state.missing, language()) : "";
  return (
    <>
      <p class="hint" id="offline" role="status">
        {text && t(text, { size })}
      </p>
      {canKeep && (
        <Button
          class="quiet"
          id="keep"
          text={t("offline.keep", { size })}
          onClick={() => void keepEverything()}
        />
      )}
    </>
  );
}
