import { t } from "../messages/index.ts";
import { shrink } from "../state/shrink.ts";
import { into } from "./choice.tsx";
import { Field } from "./field.tsx";
import { PresetButton } from "./preset-button.tsx";
import { WayList } from "./way-list.tsx";

const WAYS = ["mail", "web", "smallest", "size"] as const;

/** How small files become. */
export function ShrinkPanel() {
  return (
    <>
      <WayList
        name="shrink-way"
        label={t("shrink.way")}
        value={shrink.way.value}
        options={WAYS.map((way) => [way, t(`shrink.${way}`), t(`shrink.${way}Line`)])}
        onChoose={into(shrink.way)}
      />
      {shrink.way.value === "size" && (
        <Field
          id="shrink-size"
          label={t("split.sizeLabel")}
          value={shrink.size.value}
          onType={into(shrink.size)}
          input={{ inputMode: "decimal" }}
        />
      )}
      <p class="hint">{t("shrink.hint")}</p>
      <PresetButton task="shrink" />
    </>
  );
}
