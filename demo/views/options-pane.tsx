import { isTouch } from "../browser/window.ts";
import { t } from "../messages/index.ts";
import { areImages } from "../state/merge-parts.ts";
import { refusedTask, task, taskFiles } from "../state/task.ts";
import { CleanPanel } from "./clean-panel.tsx";
import { ConvertPanel } from "./convert-panel.tsx";
import { MergePanel } from "./merge-panel.tsx";
import { PasswordList } from "./password-list.tsx";
import { ProtectPanel } from "./protect-panel.tsx";
import { ShrinkPanel } from "./shrink-panel.tsx";
import { SplitPanel } from "./split-panel.tsx";

/** The options of the task, and the passwords that it needs. */
export function OptionsPane() {
  const chosen = task.value;
  if (chosen === undefined) return null;
  return (
    <section class="options" aria-labelledby="options-title">
      <h2 id="options-title">
        {t(chosen === "merge" && areImages.value ? "task.onePdf" : `task.${chosen}`)}
      </h2>
      {refusedTask.value && (
        <p class="hint" role="status">
          {t(`refused.${refusedTask.value}`)}
        </p>
      )}
      <PasswordList files={taskFiles.value} />
      <div class="panel">
        {chosen === "protect" && <ProtectPanel />}
        {chosen === "unlock" && <p class="hint">{t("unlock.hint")}</p>}
        {chosen === "organize" && <p class="hint">{t(isTouch() ? "organize.helpTouch" : "organize.help")}</p>}
        {chosen === "split" && <SplitPanel />}
        {chosen === "merge" && <MergePanel />}
        {chosen === "shrink" && <ShrinkPanel />}
        {chosen === "clean" && <CleanPanel />}
        {chosen === "convert" && <ConvertPanel />}
      </div>
    </section>
  );
}
