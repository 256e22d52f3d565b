import { useSignalEffect } from "@preact/signals";
import { CLEANED, PERMISSIONS } from "../../src/index.ts";
import { isTouch } from "../browser/window.ts";
import { t } from "../messages/index.ts";
import { readMore } from "../state/inspect.ts";
import { areImages } from "../state/merge-parts.ts";
import {
  clean,
  pageSize,
  protect,
  type SplitWay,
  shrink,
  split,
  toggleKept,
  togglePermission,
} from "../state/options.ts";
import {
  chooseWay,
  selectionOf,
  setSelection,
  shareSelection,
  takesSelection,
} from "../state/split-selection.ts";
import { fileKind, refusedTask, shownFile, task, taskFiles } from "../state/task.ts";
import type { TrayFile } from "../state/tray.ts";
import { into } from "./button.tsx";
import { ConvertPanel } from "./convert-panel.tsx";
import { Check, Choice, Field, NumberField, PasswordField } from "./fields.tsx";
import { WithName } from "./file-name.tsx";
import { PasswordList } from "./locked-file.tsx";
import { PresetButton } from "./preset-list.tsx";

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

/** The password of protected files, and what they allow. */
function ProtectPanel() {
  const { password, repeated, isShown, restriction, allowed } = protect;
  return (
    <>
      <PasswordField
        id="protect-password"
        label={t("protect.password")}
        hint={t("protect.lost")}
        value={password.value}
        onType={into(password)}
        isShown={isShown}
        input={{ autocomplete: "new-password" }}
      />
      {!isShown.value && (
        <Field
          id="protect-repeated"
          label={t("protect.repeat")}
          value={repeated.value}
          onType={into(repeated)}
          input={{ type: "password", autocomplete: "new-password" }}
        />
      )}
      <Choice
        name="restriction"
        label={t("protect.restriction")}
        value={restriction.value}
        options={[
          ["none", t("protect.none")],
          ["no-print", t("protect.noPrint")],
          ["no-changes", t("protect.noChanges")],
          ["custom", t("protect.custom")],
        ]}
        onChoose={into(restriction)}
      />
      {restriction.value === "custom" && (
        <fieldset class="checks">
          <legend class="visually-hidden">{t("protect.restriction")}</legend>
          {PERMISSIONS.map((name) => (
            <Check
              key={name}
              label={t(`permission.${name}`)}
              isChecked={allowed.value.includes(name)}
              onCheck={(isAllowed) => into(allowed)(togglePermission(allowed.value, name, isAllowed))}
            />
          ))}
        </fieldset>
      )}
      {restriction.value !== "none" && (
        <>
          <p class="hint">{t("protect.notALock")}</p>
          <PasswordField
            id="protect-owner"
            label={t("protect.owner")}
            hint={t("protect.ownerHint")}
            value={protect.ownerPassword.value}
            onType={into(protect.ownerPassword)}
            subject={t("protect.owner")}
            input={{ autocomplete: "new-password" }}
          />
        </>
      )}
    </>
  );
}

/** How documents are split. */
function SplitPanel() {
  const file = shownFile.value;
  const way = split.way.value;
  useSignalEffect(() => {
    if (split.way.value === "outline") for (const one of taskFiles.value) void readMore(one, "outline");
  });
  return (
    <>
      <WayChoice />
      {way === "outline" && !file?.inspection.value?.has_outline && (
        <p class="hint">{t("split.noOutline")}</p>
      )}
      <NumberField id="split-every" />
      <NumberField id="split-size" />
      {file && taskFiles.value.length > 1 && <ShownFile name={file.file.name} />}
      {file && takesSelection(way) && <PagesField key={file.id} file={file} />}
      {takesSelection(way) && (taskFiles.value.length > 1 || split.isShared.value) && <SharedSelection />}
    </>
  );
}

/** The ways that the files offer, and the chosen one, which stays when the files change. */
function WayChoice() {
  const way = split.way.value;
  const hasOutline = taskFiles.value.some(({ inspection }) => inspection.value?.has_outline);
  const ways: readonly SplitWay[] = [
    "together",
    "pages",
    "every",
    ...(hasOutline || way === "outline" ? (["outline"] as const) : []),
    "size",
  ];
  return (
    <Choice
      name="split-way"
      label={t("task.split")}
      value={way}
      options={ways.map((one) => [one, t(`split.${one}`), t(`split.${one}Line`)])}
      onChoose={chooseWay}
    />
  );
}

/** One selection for all files, or one for each. */
function SharedSelection() {
  return (
    <div class="checks">
      <Check label={t("split.same")} isChecked={split.isShared.value} onCheck={shareSelection} />
    </div>
  );
}

/** Says which of several documents the fields and the grid are about, also to screen readers when it changes. */
function ShownFile({ name }: { readonly name: string }) {
  return (
    <div class="shown-file">
      <p role="status">
        <WithName text={t("split.grid", { name })} name={name} />
      </p>
      <p class="hint">{t(isTouch() ? "split.otherFileTouch" : "split.otherFile")}</p>
    </div>
  );
}

function PagesField({ file }: { readonly file: TrayFile }) {
  return (
    <Field
      id={`split-pages-${file.id}`}
      label={t("split.pagesLabel")}
      hint={t(split.way.value === "together" ? "split.togetherHint" : "split.pagesHint")}
      value={selectionOf(file)}
      onType={(text) => setSelection(file, text, `typed ${file.id}`)}
    />
  );
}
