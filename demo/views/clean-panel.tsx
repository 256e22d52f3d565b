import { useSignalEffect } from "@preact/signals";
import { CLEANED } from "../../src/index.ts";
import { t } from "../messages/index.ts";
import { clean, readHidden, toggleKept } from "../state/clean.ts";
import { shownFile, taskFiles } from "../state/task.ts";
import { Check } from "./check.tsx";
import { into } from "./choice.tsx";

/** What is hidden in a document, and what of it stays. */
export function CleanPanel() {
  useSignalEffect(() => {
    for (const file of taskFiles.value) void readHidden(file);
  });
  const hidden = shownFile.value?.inspection.value?.hidden;
  return (
    <>
      <p class="hint">{t("clean.hint")}</p>
      <fieldset class="checks">
        <legend>{t("clean.removes")}</legend>
        {CLEANED.map((one) => (
          <Check
            key={one}
            label={t(`clean.${one}`)}
            isChecked={!clean.kept.value.includes(one)}
            onCheck={(isChecked) => toggleKept(one, !isChecked)}
          >
            {hidden && <span class="found">{foundText(hidden[one])}</span>}
          </Check>
        ))}
      </fieldset>
      <p class="hint">
        {t("clean.always")}
        {hidden?.earlier_revisions && ` ${t("clean.earlier")}`}
      </p>
      <div class="checks">
        <Check
          label={t("clean.flatten")}
          isChecked={clean.isFlat.value}
          onCheck={into(clean.isFlat)}
          hint={["flatten-hint", t("clean.flattenHint")]}
        />
      </div>
    </>
  );
}

function foundText(count: number): string {
  return count === 0 ? t("clean.none") : t("clean.found", { count });
}
