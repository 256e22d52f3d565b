import "../styles/comparison.css";
import { useComputed, useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { language, t } from "../messages/index.ts";
import { problems } from "../state/checks.ts";
import { Comparison } from "../state/comparison.ts";
import { explain } from "../state/explain.ts";
import { formatName, readableSize, sizeChange } from "../state/formats.ts";
import { convertFields } from "../state/options.ts";
import type { TrayFile } from "../state/tray.ts";
import { Choice, into } from "./choice.tsx";
import { ComparisonSlider, type Zoom } from "./comparison-slider.tsx";

/** A picture before and after its conversion with the present options. */
export function ComparisonStage({ file }: { readonly file: TrayFile }) {
  const comparison = useMemo(() => new Comparison(file), [file]);
  const zoom = useSignal<Zoom>("fit");
  const options = useComputed(() => JSON.stringify(convertFields()));
  useEffect(() => () => comparison.close(), [comparison]);
  // Not the passwords of other files.
  const isRight = !problems.value.some(({ field }) => field.startsWith("convert-"));
  useEffect(() => {
    if (isRight) void comparison.show(convertFields());
  }, [comparison, options.value, isRight]);
  return (
    <div class="comparison">
      <header class="stage-bar">
        <Sizes file={file} comparison={comparison} />
        <Choice
          name="zoom"
          label={t("compare.zoom")}
          isLabelHidden
          value={zoom.value}
          options={[
            ["fit", t("compare.fit")],
            ["full", t("compare.full")],
          ]}
          onChoose={into(zoom)}
        />
      </header>
      <ComparisonSlider
        before={comparison.before.value?.url}
        after={comparison.after.value?.url}
        zoom={zoom.value}
      />
    </div>
  );
}

/** The size of the file before and after. */
function Sizes({ file, comparison }: { readonly file: TrayFile; readonly comparison: Comparison }) {
  const format = file.inspection.value?.format;
  const { size } = file.file;
  return (
    <div class="comparison-sizes">
      <p>
        <strong>{t("compare.before")}</strong>{" "}
        {[format && formatName(format), readableSize(size, language())].filter(Boolean).join(", ")}
      </p>
      <p role="status">
        <Outcome comparison={comparison} sizeBefore={size} />
      </p>
    </div>
  );
}
/** The size of the result and how much smaller it is. Before, that the conversion runs; otherwise its error. */
function Outcome({
  comparison,
  sizeBefore,
}: {
  readonly comparison: Comparison;
  readonly sizeBefore: number;
}) {
  const { after, error, isConverting } = comparison;
  if (isConverting.value) return <span class="hint">{t("compare.working")}</span>;
  if (error.value !== undefined) {
    const { message, values } = explain(error.value);
    return <span class="field-problem">{t(message, values)}</span>;
  }
  if (after.value === undefined) return null;
  const { format, size } = after.value;
  const change = sizeChange(sizeBefore, size, language());
  return (
    <>
      <strong>{t("compare.after")}</strong> {formatName(format)}, {readableSize(size, language())}
      {change && <span class="change"> {change}</span>}
    </>
  );
}
