import { chooseTask } from "../browser/window.ts";
import { t } from "../messages/index.ts";
import { fileKind, isBeingInspected, offeredTasks, refusedTask, task, taskFiles } from "../state/task.ts";
import { trayFiles } from "../state/tray.ts";
import { Choice } from "./choice.tsx";
import { ConvertPanel } from "./convert-panel.tsx";
import { MergePanel } from "./merge-panel.tsx";
import { PasswordList } from "./password-list.tsx";
import { ProtectPanel } from "./protect-panel.tsx";
import { SplitPanel } from "./split-panel.tsx";

/** The tasks that the files take, and the options of the chosen one. */
export function Inspector() {
  const chosen = task.value;
  const areImages = trayFiles.value.every((file) => fileKind(file) === "image");
  if (chosen === undefined) {
    return (
      <section class="inspector" aria-label={t("task.label")}>
        <p class="hint">{t(trayFiles.value.some(isBeingInspected) ? "action.looking" : "action.nothing")}</p>
      </section>
    );
  }
  return (
    <section class="inspector" aria-label={t("task.label")}>
      <Choice
        name="task"
        label={t("task.label")}
        isLabelHidden
        isMain
        value={chosen}
        options={offeredTasks.value.map((one) => [
          one,
          t(one === "merge" && areImages ? "task.onePdf" : `task.${one}`),
        ])}
        onChoose={chooseTask}
      />
      {refusedTask.value && (
        <p class="hint" role="status">
          {t(`refused.${refusedTask.value}`)}
        </p>
      )}
      <PasswordList files={taskFiles.value} />
      <div class="panel">
        {chosen === "protect" && <ProtectPanel />}
        {chosen === "unlock" && <p class="hint">{t("unlock.hint")}</p>}
        {chosen === "split" && <SplitPanel />}
        {chosen === "merge" && <MergePanel />}
        {chosen === "convert" && <ConvertPanel />}
      </div>
    </section>
  );
}
