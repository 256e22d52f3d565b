import { isKept, togglePreset } from "../browser/kept-options.ts";
import { t } from "../messages/index.ts";
import type { Task } from "../state/task-list.ts";
import { Button } from "./button.tsx";

/** Keeps the options of a task on the start page, or takes them away. */
export function PresetButton({ task }: { readonly task: Task }) {
  return (
    <Button
      class="quiet"
      icon={isKept(task) ? "check" : undefined}
      text={t("preset.keep")}
      aria-pressed={isKept(task)}
      onClick={() => togglePreset(task)}
    />
  );
}
