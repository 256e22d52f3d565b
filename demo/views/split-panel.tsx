import { t } from "../messages/index.ts";
import { split } from "../state/options.ts";
import { shownFile, taskFiles } from "../state/task.ts";
import { Choice, into } from "./choice.tsx";
import { Field } from "./field.tsx";
import { lazily } from "./lazily.tsx";

const SplitGrid = lazily(async () => (await import("./split-grid.tsx")).SplitGrid);

/** How documents are split. */
export function SplitPanel() {
  const { way, pages, every, size } = split;
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
          ["every", t("split.every")],
          ...(hasOutline ? [["outline", t("split.outline")] as const] : []),
          ["size", t("split.size")],
        ]}
        onChoose={into(way)}
      />
      {way.value === "pages" && (
        <>
          <Field id="split-pages" label={t("split.pagesLabel")} hint={t("split.pagesHint")} value={pages} />
          <div class="presets">
            {(["all", "odd", "even"] as const).map((word) => (
              <button
                key={word}
                type="button"
                class="button small"
                onClick={() => {
                  pages.value = word;
                }}
              >
                {t(`split.${word}`)}
              </button>
            ))}
          </div>
          {file && <SplitGrid key={file.id} file={file} text={pages} />}
        </>
      )}
      {way.value === "every" && (
        <Field
          id="split-every"
          label={t("split.everyLabel")}
          value={every}
          input={{ inputMode: "numeric" }}
        />
      )}
      {way.value === "outline" && <p class="hint">{t("split.outlineHint")}</p>}
      {way.value === "size" && (
        <Field id="split-size" label={t("split.sizeLabel")} value={size} input={{ inputMode: "decimal" }} />
      )}
    </>
  );
}
