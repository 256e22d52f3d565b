import { t } from "../messages/index.ts";
import { split } from "../state/options.ts";
import { isForeseen, isSelectedApart, selectForAll, selectionOf } from "../state/split-selection.ts";
import { chosenFile, shownFile, taskFiles } from "../state/task.ts";
import type { TrayFile } from "../state/tray.ts";
import { Choice, into } from "./choice.tsx";
import { Field } from "./field.tsx";
import { lazily } from "./lazily.tsx";

const SplitGrid = lazily(async () => (await import("./split-grid.tsx")).SplitGrid);

/** How documents are split. */
export function SplitPanel() {
  const { way, every, size } = split;
  const file = shownFile.value;
  const hasOutline = taskFiles.value.some(({ inspection }) => inspection.value?.has_outline);
  return (
    <>
      <Choice
        name="split-way"
        label={t("split.way")}
        isLabelHidden
        value={way.value}
        options={[
          ["pages", t("split.pages")],
          ["all", t("split.all")],
          ["odd", t("split.odd")],
          ["even", t("split.even")],
          ["every", t("split.every")],
          ...(hasOutline ? [["outline", t("split.outline")] as const] : []),
          ["size", t("split.size")],
        ]}
        onChoose={into(way)}
      />
      {way.value === "outline" && <p class="hint">{t("split.outlineHint")}</p>}
      {way.value === "size" && <p class="hint">{t("split.sizeHint")}</p>}
      <div class="split-fields">
        {way.value === "every" && (
          <Field
            id="split-every"
            label={t("split.everyLabel")}
            value={every}
            input={{ inputMode: "numeric" }}
          />
        )}
        {way.value === "size" && (
          <Field id="split-size" label={t("split.sizeLabel")} value={size} input={{ inputMode: "decimal" }} />
        )}
        {file && taskFiles.value.length > 1 && <FileChoice shown={file} />}
        {file && isForeseen(way.value) && <PagesField key={file.id} file={file} />}
      </div>
      {file && <SplitGrid key={file.id} file={file} />}
    </>
  );
}

/** Which of several documents the grid shows. */
function FileChoice({ shown }: { readonly shown: TrayFile }) {
  return (
    <div class="field">
      <label for="split-file">{t("split.fileLabel")}</label>
      <select
        id="split-file"
        value={shown.id}
        onChange={({ currentTarget }) => {
          chosenFile.value = taskFiles.value[currentTarget.selectedIndex];
        }}
      >
        {taskFiles.value.map(({ id, file }) => (
          <option key={id} value={id}>
            {file.name}
          </option>
        ))}
      </select>
    </div>
  );
}

function PagesField({ file }: { readonly file: TrayFile }) {
  const isOwn = split.way.value === "pages";
  return (
    <Field
      id={`split-pages-${file.id}`}
      label={t("split.pagesLabel")}
      {...(isOwn && { hint: t("split.pagesHint") })}
      value={selectionOf(file)}
    >
      {isOwn && isSelectedApart(file) && (
        <button type="button" class="button small" onClick={() => selectForAll(file)}>
          {t("split.useForAll")}
        </button>
      )}
    </Field>
  );
}
