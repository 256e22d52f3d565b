import { useSignalEffect } from "@preact/signals";
import { CLEANED } from "../../src/index.ts";
import { t } from "../messages/index.ts";
import { readMore } from "../state/inspect.ts";
import { clean, toggleKept } from "../state/options.ts";
import { shownFile, taskFiles } from "../state/task.ts";
import { Check } from "./check.tsx";
import { into } from "./into-signal.ts";

/** What is hidden in a document, and what of it stays. */
export function CleanPanel() {
  useSignalEffect(() => {
    for (const file of taskFiles.value) void readMore(file, "hidden");
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
            {hidden && (
              <span class="found">
                {hidden[one] === 0 ? t("clean.none") : t("clean.found", { count: hidden[one] })}
              </span>
            )}
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
