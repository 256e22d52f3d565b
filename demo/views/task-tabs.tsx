import { chooseTask } from "../browser/window.ts";
import { t } from "../messages/index.ts";
import { fileKind, offeredTasks, task } from "../state/task.ts";
import { TASKS, type Task } from "../state/task-list.ts";
import { trayFiles } from "../state/tray.ts";

/** All tasks, always in the same places. Those that no file takes are gray and say why. */
export function TaskTabs() {
  const areImages = trayFiles.value.every((file) => fileKind(file) === "image");
  return (
    <nav class="tabs" aria-label={t("task.label")}>
      {TASKS.map((one) => (
        <TaskTab
          key={one}
          task={one}
          label={t(one === "merge" && areImages ? "task.onePdf" : `task.${one}`)}
        />
      ))}
    </nav>
  );
}

/** A task that no file takes can be clicked, too: then the page says why it is gray. */
function TaskTab({ task: own, label }: { readonly task: Task; readonly label: string }) {
  const isOffered = offeredTasks.value.includes(own);
  const reason = isOffered ? undefined : t(`refused.${own}`);
  return (
    <button
      type="button"
      class="tab"
      data-task={own}
      aria-current={task.value === own ? "true" : undefined}
      aria-disabled={reason ? "true" : undefined}
      aria-description={reason}
      title={reason}
      onClick={() => chooseTask(own)}
    >
      {label}
    </button>
  );
}
