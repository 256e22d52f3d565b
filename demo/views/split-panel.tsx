import { useSignalEffect } from "@preact/signals";
import { isTouch } from "../browser/window.ts";
import { t } from "../messages/index.ts";
import { readOutline } from "../state/inspect.ts";
import { split } from "../state/options.ts";
import { isWord } from "../state/page-selection.ts";
import { chooseWay, hasPagesField, selectionOf, setSelection } from "../state/split-selection.ts";
import { shownFile, taskFiles } from "../state/task.ts";
import type { TrayFile } from "../state/tray.ts";
import { Choice, into } from "./choice.tsx";
import { Field } from "./field.tsx";

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
      {way === "outline" && (
        <p class="hint">{t(file?.inspection.value?.has_outline ? "split.outlineHint" : "split.noOutline")}</p>
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
      {file && hasPagesField(way) && <PagesField key={file.id} file={file} />}
    </>
  );
}

/** The ways that the files offer, and the chosen one, which stays when the files change. */
function WayChoice() {
  const way = split.way.value;
  const hasSeveral = taskFiles.value.length > 1;
  const hasOutline = taskFiles.value.some(({ inspection }) => inspection.value?.has_outline);
  return (
    <Choice
      name="split-way"
      label={t("split.way")}
      isLabelHidden
      value={way}
      options={[
        ["pages", t("split.pages")],
        ["together", t("split.together")],
        ...(hasSeveral || way === "same" ? [["same", t("split.same")] as const] : []),
        ["all", t("split.all")],
        ["odd", t("split.odd")],
        ["even", t("split.even")],
        ["every", t("split.every")],
        ...(hasOutline || way === "outline" ? [["outline", t("split.outline")] as const] : []),
        ["size", t("split.size")],
      ]}
      onChoose={chooseWay}
    />
  );
}

/** Says which of several documents the fields and the grid are about, also to screen readers when it changes. */
function ShownFile({ name }: { readonly name: string }) {
  return (
    <div class="shown-file">
      <p role="status">{t("split.grid", { name })}</p>
      <p class="hint">{t(isTouch() ? "split.otherFileTouch" : "split.otherFile")}</p>
    </div>
  );
}

function PagesField({ file }: { readonly file: TrayFile }) {
  const way = split.way.value;
  const isTyped = !isWord(way);
  return (
    <Field
      id={`split-pages-${file.id}`}
      label={t("split.pagesLabel")}
      {...(isTyped && { hint: t(way === "together" ? "split.togetherHint" : "split.pagesHint") })}
      value={selectionOf(file)}
      onType={(text) => setSelection(file, text, `typed ${file.id}`)}
    />
  );
}
