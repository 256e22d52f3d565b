import { untracked } from "@preact/signals";
import { t } from "../messages/index.ts";
import { canBecome, formatName, IMAGE_FORMATS, OFFICE_FORMATS, type TargetFormat } from "../state/formats.ts";
import { convert, hasMoreOptions, isLossy, SIZE_UNITS } from "../state/options.ts";
import { serviceHost, serviceUrl } from "../state/service.ts";
import { chosenFormat, convertibleKinds, targetFormat } from "../state/task.ts";
import { Check } from "./check.tsx";
import { Choice, into } from "./choice.tsx";
import { Field } from "./field.tsx";
import { PresetButton } from "./preset-button.tsx";

/** The format to convert to, and the options that this format has. */
export function ConvertPanel() {
  const format = targetFormat.value;
  const kinds = convertibleKinds.value;
  const leaves = kinds.has("office") || OFFICE_FORMATS.some((one) => one === format);
  return (
    <>
      <FormatChoice />
      {leaves && <p class="badge leaves">{t("convert.leaves", { host: serviceHost })}</p>}
      <Quality />
      {(isImageFormat(format) || kinds.has("image")) && (
        <details open={untracked(hasMoreOptions)}>
          <summary>{t("convert.more")}</summary>
          {isImageFormat(format) && <SizeFields />}
          {kinds.has("image") && <Metadata />}
          <PresetButton task="convert" />
        </details>
      )}
    </>
  );
}

/** The formats that at least one of the files can become. */
function FormatChoice() {
  const kinds = [...convertibleKinds.value];
  const hasService = serviceUrl !== undefined;
  const offered = FORMATS.filter((format) =>
    kinds.some((kind) => kind && canBecome(kind, format, hasService)),
  );
  return (
    <Choice
      name="format"
      label={t("convert.format")}
      value={targetFormat.value}
      options={offered.map((one) => [one, one === "txt" ? t("convert.text") : formatName(one)])}
      onChoose={into(chosenFormat)}
    />
  );
}

function Metadata() {
  return (
    <div class="checks">
      <Check
        label={t("convert.metadata")}
        isChecked={convert.keepsMetadata.value}
        onCheck={into(convert.keepsMetadata)}
        hint={["metadata-hint", t("convert.metadataHint")]}
      />
    </div>
  );
}

/** The largest size of a file, the longest side of a picture, and the resolution of pages. */
function SizeFields() {
  return (
    <div class="field-pair">
      <Field
        id="convert-size"
        label={t("convert.size")}
        value={convert.size.value}
        onType={into(convert.size)}
        input={{ inputMode: "decimal" }}
      >
        <select
          aria-label={t("convert.unit")}
          value={convert.unit.value}
          onChange={({ currentTarget }) => {
            convert.unit.value = currentTarget.value === "KB" ? "KB" : "MB";
          }}
        >
          {Object.keys(SIZE_UNITS).map((unit) => (
            <option key={unit}>{unit}</option>
          ))}
        </select>
      </Field>
      <Field
        id="convert-side"
        label={t("convert.side")}
        value={convert.side.value}
        onType={into(convert.side)}
        input={{ inputMode: "numeric" }}
      />
      {convertibleKinds.value.has("pdf") && (
        <Field
          id="convert-dpi"
          label={t("convert.dpi")}
          value={convert.dpi.value}
          onType={into(convert.dpi)}
          input={{ inputMode: "numeric" }}
        />
      )}
    </div>
  );
}

/** The quality, if the format has one. */
function Quality() {
  const quality = convert.quality.value;
  if (!isLossy(targetFormat.value)) return null;
  return (
    <div class="field">
      <div class="label-row">
        <label for="convert-quality">
          {t("convert.quality")} <output>{quality ?? t("convert.qualityAuto")}</output>
        </label>
        {quality !== undefined && (
          <button
            type="button"
            class="quiet"
            onClick={() => {
              convert.quality.value = undefined;
            }}
          >
            {t("convert.qualityReset")}
          </button>
        )}
      </div>
      <input
        id="convert-quality"
        type="range"
        min="0"
        max="100"
        value={quality ?? 80}
        onInput={({ currentTarget }) => {
          convert.quality.value = currentTarget.valueAsNumber;
        }}
      />
    </div>
  );
}

const FORMATS: readonly TargetFormat[] = [...IMAGE_FORMATS, "pdf", "txt", ...OFFICE_FORMATS];

function isImageFormat(format: TargetFormat): boolean {
  return IMAGE_FORMATS.some((one) => one === format);
}
