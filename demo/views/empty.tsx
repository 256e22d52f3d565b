import { isTouch } from "../browser/window.ts";
import { t } from "../messages/index.ts";
import { chosenTask } from "../state/task.ts";
import { TASKS } from "../state/task-list.ts";
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
