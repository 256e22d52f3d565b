import "../styles/comparison.css";
import { useComputed, useSignal } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { start } from "../browser/start.ts";
import { language, t } from "../messages/index.ts";
import { problems } from "../state/checks.ts";
import { Comparison, comparedFile } from "../state/comparison.ts";
import { explain } from "../state/explain.ts";
import { formatName, IMAGE_FORMATS, readableSize, sizeChange } from "../state/formats.ts";
import { convertFields } from "../state/options.ts";
import { startable } from "../state/results.ts";
import type { TrayFile } from "../state/tray.ts";
import { startLabel } from "./action-bar.tsx";
import { Choice, into } from "./choice.tsx";
import { ComparisonSlider, type Zoom } from "./comparison-slider.tsx";
import { FormatChoice, Quality, SizeFields } from "./convert-panel.tsx";

/** A dialog that fills the window: a picture before and after its conversion, and the options that change it. */
export function ComparisonDialog({ file }: { readonly file: TrayFile }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const comparison = useMemo(() => new Comparison(file), [file]);
  const zoom = useSignal<Zoom>("fit");
  const options = useComputed(() => JSON.stringify(convertFields()));
  useEffect(() => {
    dialog.current?.showModal();
    return () => comparison.close();
  }, [comparison]);
  // Not the passwords of other files.
  const isRight = !problems.value.some(({ field }) => field.startsWith("convert-"));
  useEffect(() => {
    if (isRight) void comparison.show(convertFields());
  }, [comparison, options.value, isRight]);

  const close = () => dialog.current?.close();
  const { length: count } = startable.value;
  return (
    <dialog
      ref={dialog}
      class="comparison"
      aria-labelledby="comparison-title"
      onClose={() => {
        comparedFile.value = undefined;
      }}
    >
      <form
        class="comparison-panes"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          close();
          void start();
        }}
      >
        <header>
          <h2 id="comparison-title" title={file.file.name}>
            {file.file.name}
          </h2>
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
          <button type="button" class="icon" aria-label={t("compare.close")} onClick={close}>
            ×
          </button>
        </header>
        <ComparisonSlider
          before={comparison.before.value?.url}
          after={comparison.after.value?.url}
          zoom={zoom.value}
        />
        <Sizes file={file} comparison={comparison} />
        <div class="comparison-options">
          <FormatChoice formats={IMAGE_FORMATS} />
          <Quality />
          <SizeFields />
        </div>
        <button type="submit" class="button primary">
          {count > 0 ? startLabel(count) : t("compare.close")}
        </button>
      </form>
    </dialog>
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
