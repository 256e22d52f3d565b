import { presets, setPresets } from "../browser/kept-options.ts";
import { chooseTask } from "../browser/window.ts";
import { t } from "../messages/index.ts";
import { formatName, IMAGE_FORMATS } from "../state/formats.ts";
import { applyPreset, type Preset } from "../state/presets.ts";
import { Icon } from "./icon.tsx";

/** The presets that the user has kept: each chooses its task and its options, and asks for files. */
export function PresetList() {
  return (
    <ul class="presets" aria-label={t("preset.list")}>
      {presets.value.map((preset) => {
        const name = presetName(preset);
        return (
          <li key={JSON.stringify(preset)}>
            <button type="button" class="button small" onClick={() => use(preset)}>
              {name}
            </button>
            <button
              type="button"
              class="icon"
              aria-label={t("row.remove", { name })}
              onClick={() => setPresets(presets.value.filter((one) => one !== preset))}
            >
              <Icon name="close" />
            </button>
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

/** Returns what a preset does: `JPG under 1 MB`, `PDF`. */
function presetName({ convert, shrink }: Preset): string {
  if (shrink?.way === "size") return t("preset.under", { what: t("task.shrink"), size: `${shrink.size} MB` });
  const way = (["mail", "web", "smallest"] as const).find((one) => one === shrink?.way);
  if (way !== undefined) return `${t("task.shrink")}: ${t(`shrink.${way}`)}`;
  const format =
    [...IMAGE_FORMATS, "pdf" as const, "txt" as const].find((one) => one === convert?.format) ?? "jpg";
  const what = formatName(format);
  // A document or a text has no size to stay under.
  return convert?.size && IMAGE_FORMATS.some((one) => one === format)
    ? t("preset.under", { what, size: `${convert.size} ${convert.unit}` })
    : what;
}
