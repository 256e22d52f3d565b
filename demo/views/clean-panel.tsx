import { useSignalEffect } from "@preact/signals";
import { CLEANED } from "../../src/index.ts";
import { t } from "../messages/index.ts";
import { clean, readHidden, toggleKept } from "../state/clean.ts";
import { shownFile, taskFiles } from "../state/task.ts";

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
          <label key={one}>
            <input
              type="checkbox"
              checked={!clean.kept.value.includes(one)}
              onChange={({ currentTarget }) => toggleKept(one, !currentTarget.checked)}
            />
            {t(`clean.${one}`)}
            {hidden && <span class="found">{foundText(hidden[one])}</span>}
          </label>
        ))}
      </fieldset>
      <p class="hint">
        {t("clean.always")}
        {hidden?.earlier_revisions && ` ${t("clean.earlier")}`}
      </p>
      <div class="checks">
        <label>
          <input
            type="checkbox"
            checked={clean.isFlat.value}
            aria-describedby="flatten-hint"
            onChange={({ currentTarget }) => {
              clean.isFlat.value = currentTarget.checked;
            }}
          />
          {t("clean.flatten")}
        </label>
        <p class="hint" id="flatten-hint">
          {t("clean.flattenHint")}
        </p>
      </div>
    </>
  );
}

function foundText(count: number): string {
  return count === 0 ? t("clean.none") : t("clean.found", { count });
}
