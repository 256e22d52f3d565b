import "../styles/comparison.css";
import { useComputed, useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { language, t } from "../messages/index.ts";
import { problems } from "../state/checks.ts";
import { Conversion } from "../state/conversion.ts";
import { explain } from "../state/explain.ts";
import { formatName, readableSize, sizeChange } from "../state/formats.ts";
import { convertFields } from "../state/options.ts";
import { screenPicture } from "../state/pictures.ts";
import type { TrayFile } from "../state/tray.ts";
import { Choice } from "./choice.tsx";
import { ComparisonSlider, type Zoom } from "./comparison-slider.tsx";
import { into } from "./into-signal.ts";
import { usePicture } from "./use-picture.ts";

/** A picture before and after its conversion with the present options. */
export function ComparisonStage({ file }: { readonly file: TrayFile }) {
  const conversion = useMemo(() => new Conversion(file), [file]);
  const before = usePicture((signal) => screenPicture(file, signal), file);
  const zoom = useSignal<Zoom>("fit");
  const options = useComputed(() => JSON.stringify(convertFields()));
  useEffect(() => () => conversion.close(), [conversion]);
  // Not the passwords of other files.
  const isRight = !problems.value.some(({ field }) => field.startsWith("convert-"));
  useEffect(() => {
    if (isRight) void conversion.start(convertFields());
  }, [conversion, options.value, isRight]);
  const format = file.inspection.value?.format;
  return (
    <div class="comparison">
      <header class="stage-bar">
        <div class="comparison-sizes">
          <p>
            <strong>{t("compare.before")}</strong>{" "}
            {[format && formatName(format), readableSize(file.file.size, language())]
              .filter(Boolean)
              .join(", ")}
          </p>
          <p role="status">
            <Outcome conversion={conversion} sizeBefore={file.file.size} />
          </p>
        </div>
        <Choice
          name="zoom"
          label={t("compare.zoom")}
          isLabelHidden
          value={zoom.value}
          options={(["fit", "full"] as const).map((one) => [one, t(`compare.${one}`)])}
          onChoose={into(zoom)}
        />
      </header>
      <ComparisonSlider before={before.url} after={conversion.result.value?.url} zoom={zoom.value} />
    </div>
  );
}

/** The size of the result and how much smaller it is. Before, that the conversion runs; otherwise its error. */
function Outcome(props: { readonly conversion: Conversion; readonly sizeBefore: number }) {
  const { result, error, isRunning } = props.conversion;
  if (isRunning.value) return <span class="hint">{t("compare.working")}</span>;
  if (error.value !== undefined) {
    const { message, values } = explain(error.value);
    return <span class="field-problem">{t(message, values)}</span>;
  }
  if (result.value === undefined) return null;
  const { format, size } = result.value;
  const change = sizeChange(props.sizeBefore, size, language());
  return (
    <>
      <strong>{t("compare.after")}</strong> {formatName(format)}, {readableSize(size, language())}
      {change && <span class="change"> {change}</span>}
    </>
  );
}
