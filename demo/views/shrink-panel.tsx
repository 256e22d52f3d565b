import { t } from "../messages/index.ts";
import { shrink } from "../state/options.ts";
import { Choice } from "./choice.tsx";
import { into } from "./into-signal.ts";
import { NumberField } from "./number-field.tsx";
import { PresetButton } from "./preset-button.tsx";

/** How small files become. */
export function ShrinkPanel() {
  return (
    <>
      <Choice
        name="shrink-way"
        label={t("shrink.way")}
        value={shrink.way.value}
        options={(["mail", "web", "smallest", "size"] as const).map((way) => [
          way,
          t(`shrink.${way}`),
          t(`shrink.${way}Line`),
        ])}
        onChoose={into(shrink.way)}
      />
      <NumberField id="shrink-size" />
      <p class="hint">{t("shrink.hint")}</p>
      <PresetButton task="shrink" />
    </>
  );
}
