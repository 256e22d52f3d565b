import { useSignalEffect } from "@preact/signals";
import { isTouch } from "../browser/window.ts";
import { t } from "../messages/index.ts";
import { readMore } from "../state/inspect.ts";
import { type SplitWay, split } from "../state/options.ts";
import {
  chooseWay,
  selectionOf,
  setSelection,
  shareSelection,
  takesSelection,
} from "../state/split-selection.ts";
import { shownFile, taskFiles } from "../state/task.ts";
import type { TrayFile } from "../state/tray.ts";
import { Check } from "./check.tsx";
import { Choice } from "./choice.tsx";
import { Field } from "./field.tsx";
import { WithName } from "./file-name.tsx";
import { NumberField } from "./number-field.tsx";

/** How documents are split. */
export function SplitPanel() {
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
      {takesSelection(way) && (taskFiles.value.length > 1 || split.isShared.value) && (
        <div class="checks">
          <Check label={t("split.same")} isChecked={split.isShared.value} onCheck={shareSelection} />
        </div>
      )}
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
