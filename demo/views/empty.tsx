import { isTouch } from "../browser/window.ts";
import { t } from "../messages/index.ts";
import { chosenTask } from "../state/task.ts";
import { TASKS } from "../state/task-list.ts";
import { FileInput } from "./file-input.tsx";
import { TaskIcon } from "./task-icon.tsx";

/** The page without files: the drop target and the tasks. */
export function Empty() {
  const onTouch = isTouch();
  return (
    <>
      <section class="welcome" aria-labelledby="welcome-title">
        <h2 id="welcome-title">{t(onTouch ? "empty.titleTouch" : "empty.title")}</h2>
        <p class="hint">{t(onTouch ? "empty.typesTouch" : "empty.types")}</p>
        <FileInput id="file-input" class="primary">
          {t(onTouch ? "empty.chooseTouch" : "empty.choose")}
        </FileInput>
        {!onTouch && <p class="hint">{t("empty.paste")}</p>}
        <button type="button" class="quiet" onClick={() => void tryExamples()}>
          {t("empty.example")}
        </button>
      </section>
      <nav class="tiles" aria-label={t("empty.tasks")}>
        {TASKS.map((task) => (
          <a
            key={task}
            href={`#${task}`}
            class="tile"
            aria-current={chosenTask.value === task ? "true" : undefined}
            onClick={() => document.querySelector<HTMLInputElement>("#file-input")?.click()}
          >
            <TaskIcon task={task} />
            <strong>{t(`task.${task}`)}</strong>
            <span>{t(`tile.${task}`)}</span>
          </a>
        ))}
      </nav>
    </>
  );
}

async function tryExamples(): Promise<void> {
  await (await import("../state/examples.ts")).takeExamples();
}
