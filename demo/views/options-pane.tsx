import { useSignalEffect } from "@preact/signals";
import { CLEANED } from "../../src/index.ts";
import { isTouch } from "../browser/window.ts";
import { t } from "../messages/index.ts";
import { readMore } from "../state/inspect.ts";
import { areImages } from "../state/merge-parts.ts";
import { clean, pageSize, shrink, toggleKept } from "../state/options.ts";
import { fileKind, refusedTask, shownFile, task, taskFiles } from "../state/task.ts";
import type { TrayFile } from "../state/tray.ts";
import { into } from "./button.tsx";
import { ConvertPanel } from "./convert-panel.tsx";
import { Check, Choice, Field, NumberField } from "./fields.tsx";
import { WithName } from "./file-name.tsx";
import { PasswordList } from "./locked-file.tsx";
import { PresetButton } from "./preset-button.tsx";
import { ProtectPanel } from "./protect-panel.tsx";
import { SplitPanel } from "./split-panel.tsx";

/** The options of the task, and the passwords that it needs. */
export function OptionsPane() {
  const chosen = task.value;
  if (chosen === undefined) return null;
  return (
    <section class="options" aria-labelledby="options-title">
      <h2 id="options-title">
        {t(chosen === "merge" && areImages.value ? "task.onePdf" : `task.${chosen}`)}
      </h2>
      {refusedTask.value && (
        <p class="hint" role="status">
          {t(`refused.${refusedTask.value}`)}
        </p>
      )}
      <PasswordList files={taskFiles.value} />
      <div class="panel">
        {chosen === "protect" && <ProtectPanel />}
        {chosen === "unlock" && <p class="hint">{t("unlock.hint")}</p>}
        {chosen === "organize" && <p class="hint">{t(isTouch() ? "organize.helpTouch" : "organize.help")}</p>}
        {chosen === "split" && <SplitPanel />}
        {chosen === "merge" && <MergePanel />}
        {chosen === "shrink" && <ShrinkPanel />}
        {chosen === "clean" && <CleanPanel />}
        {chosen === "convert" && <ConvertPanel />}
      </div>
    </section>
  );
}

/** The options of merging. */
function MergePanel() {
  const file = shownFile.value;
  return (
    <>
      <p class="hint">{t("merge.hint")}</p>
      {areImages.value && (
        <Choice
          name="page-size"
          label={t("merge.pageSize")}
          value={pageSize.value}
          options={(["fit", "a4", "letter"] as const).map((size) => [size, t(`merge.${size}`)])}
          onChoose={into(pageSize)}
        />
      )}
      {file && <MergePages key={file.id} file={file} />}
    </>
  );
}

/** Which pages of a PDF come in. */
function MergePages({ file }: { readonly file: TrayFile }) {
  const { name } = file.file;
  const hasOthers = taskFiles.value.some((one) => one !== file && fileKind(one) === "pdf");
  const others = hasOthers ? ` ${t(isTouch() ? "merge.otherFileTouch" : "merge.otherFile")}` : "";
  return (
    <Field
      id={`merge-pages-${file.id}`}
      label={<WithName text={t("split.grid", { name })} name={name} />}
      hint={t("merge.pagesHint") + others}
      value={file.mergePages.value}
      onType={into(file.mergePages)}
      input={{ placeholder: t("pages.all") }}
    />
  );
}

/** How small files become. */
function ShrinkPanel() {
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

/** What is hidden in a document, and what of it stays. */
function CleanPanel() {
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
