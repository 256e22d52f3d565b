import { isKept, togglePreset } from "../browser/kept-options.ts";
import { t } from "../messages/index.ts";
import type { Task } from "../state/task-list.ts";
import { Icon } from "./icon.tsx";

/** Keeps the options of a task on the start page, or takes them away. */
export function PresetButton({ task }: { readonly task: Task }) {
  return (
    <button type="button" class="quiet" aria-pressed={isKept(task)} onClick={() => togglePreset(task)}>
      {isKept(task) && <Icon name="check" />}
      {t("preset.keep")}
    </button>
  );
}
