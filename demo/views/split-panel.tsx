import { useSignalEffect } from "@preact/signals";
import { isTouch } from "../browser/window.ts";
import { t } from "../messages/index.ts";
import { readOutline } from "../state/inspect.ts";
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
import { into } from "./choice.tsx";
import { Field } from "./field.tsx";
import { WithName } from "./file-name.tsx";
import { WayList } from "./way-list.tsx";

/** How documents are split. */
export function SplitPanel() {
  const file = shownFile.value;
  const way = split.way.value;
  useSignalEffect(() => {
    if (split.way.value === "outline") for (const one of taskFiles.value) void readOutline(one);
  });
  return (
    <>
      <WayChoice />
      {way === "outline" && !file?.inspection.value?.has_outline && (
        <p class="hint">{t("split.noOutline")}</p>
      )}
      {way === "every" && (
        <Field
          id="split-every"
          label={t("split.everyLabel")}
          value={split.every.value}
          onType={into(split.every)}
          input={{ inputMode: "numeric" }}
        />
      )}
      {way === "size" && (
        <Field
          id="split-size"
          label={t("split.sizeLabel")}
          hint={t("split.sizeHint")}
          value={split.size.value}
          onType={into(split.size)}
          input={{ inputMode: "decimal" }}
        />
      )}
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
    <WayList
      name="split-way"
      label={t("split.way")}
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
