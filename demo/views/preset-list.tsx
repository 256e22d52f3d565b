import { presets, setPresets } from "../browser/kept-options.ts";
import { chooseTask } from "../browser/window.ts";
import { t } from "../messages/index.ts";
import { applyPreset, type Preset, presetName } from "../state/presets.ts";
import { Button } from "./button.tsx";

/** The presets that the user has kept: each chooses its task and its options, and asks for files. */
export function PresetList() {
  return (
    <ul class="presets" aria-label={t("preset.list")}>
      {presets.value.map((preset) => {
        const name = presetName(preset);
        return (
          <li key={JSON.stringify(preset)}>
            <Button class="button small" text={name} onClick={() => use(preset)} />
            <Button
              class="icon"
              icon="close"
              label={t("row.remove", { name })}
              onClick={() => setPresets(presets.value.filter((one) => one !== preset))}
            />
          </li>
        );
      })}
    </ul>
  );
}

function use(preset: Preset): void {
  applyPreset(preset);
  chooseTask(preset.shrink ? "shrink" : "convert");
  document.querySelector<HTMLInputElement>("#file-input")?.click();
}
