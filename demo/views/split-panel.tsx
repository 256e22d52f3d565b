import { batch } from "@preact/signals";
import { t } from "../messages/index.ts";
import { type SplitWay, split } from "../state/options.ts";
import { normalizePages } from "../state/page-text.ts";
import { shownFile, taskFiles } from "../state/task.ts";
import { Choice } from "./choice.tsx";
import { Field } from "./field.tsx";
import { lazily } from "./lazily.tsx";

const SplitGrid = lazily(async () => (await import("./split-grid.tsx")).SplitGrid);

/** Page selections that have a button of their own. */
const PRESETS = ["all", "odd", "even"] as const;

type Preset = (typeof PRESETS)[number] | SplitWay;

/** Returns the button of the current way: that of the page selection, if it has one. */
function presetOf(way: SplitWay, text: string): Preset {
  const pages = normalizePages(text).toLowerCase();
  return (way === "pages" && PRESETS.find((preset) => preset === pages)) || way;
}

function choose(preset: Preset): void {
  const word = PRESETS.find((one) => one === preset);
  const isLeft = presetOf("pages", split.pages.value) !== "pages";
  batch(() => {
    if (preset === "all" || preset === "odd" || preset === "even") split.way.value = "pages";
    else split.way.value = preset;
    if (word !== undefined) split.pages.value = word;
    else if (preset === "pages" && isLeft) split.pages.value = "";
  });
}

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
        value={presetOf(way.value, pages.value)}
        options={[
          ["pages", t("split.pages")],
          ["all", t("split.all")],
          ["odd", t("split.odd")],
          ["even", t("split.even")],
          ["every", t("split.every")],
          ...(hasOutline ? [["outline", t("split.outline")] as const] : []),
          ["size", t("split.size")],
        ]}
        onChoose={choose}
      />
      {way.value === "pages" && (
        <>
          <Field id="split-pages" label={t("split.pagesLabel")} hint={t("split.pagesHint")} value={pages} />
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
