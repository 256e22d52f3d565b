import { untracked } from "@preact/signals";
import { t } from "../messages/index.ts";
import { canBecome, formatName, isImageFormat, OFFICE_FORMATS, TARGET_FORMATS } from "../state/formats.ts";
import { convert, hasMoreOptions, isLossy, SIZE_UNITS } from "../state/options.ts";
import { serviceHost, serviceUrl } from "../state/service.ts";
import { chosenFormat, convertibleKinds, targetFormat } from "../state/task.ts";
import { Button } from "./button.tsx";
import { Check } from "./check.tsx";
import { Choice } from "./choice.tsx";
import { into } from "./into-signal.ts";
import { NumberField } from "./number-field.tsx";
import { PresetButton } from "./preset-button.tsx";

/** The format to convert to, of those that at least one of the files can become, and the options that this format has. */
export function ConvertPanel() {
  const format = targetFormat.value;
  const kinds = convertibleKinds.value;
  const leaves = kinds.has("office") || OFFICE_FORMATS.some((one) => one === format);
  const offered = TARGET_FORMATS.filter((one) =>
    [...kinds].some((kind) => kind && canBecome(kind, one, serviceUrl !== undefined)),
  );
  return (
    <>
      <Choice
        name="format"
        label={t("convert.format")}
        value={format}
        options={offered.map((one) => [one, formatName(one)])}
        onChoose={into(chosenFormat)}
      />
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
      <NumberField id="convert-size">
        <select
          aria-label={t("convert.unit")}
          value={convert.unit.value}
          onChange={({ currentTarget }) => into(convert.unit)(currentTarget.value === "KB" ? "KB" : "MB")}
        >
          {Object.keys(SIZE_UNITS).map((unit) => (
            <option key={unit}>{unit}</option>
          ))}
        </select>
      </NumberField>
      <NumberField id="convert-side" />
      <NumberField id="convert-dpi" />
    </div>
  );
}

/** The quality, if the format has one. */
function Quality() {
  const quality = convert.quality.value;
  if (!isLossy(targetFormat.value)) return null;
  const reset = () => into(convert.quality)(undefined);
  return (
    <div class="field">
      <div class="label-row">
        <label for="convert-quality">
          {t("convert.quality")} <output>{quality ?? t("convert.qualityAuto")}</output>
        </label>
        {quality !== undefined && <Button class="quiet" text={t("convert.qualityReset")} onClick={reset} />}
      </div>
      <input
        id="convert-quality"
        type="range"
        min="0"
        max="100"
        value={quality ?? 80}
        onInput={({ currentTarget }) => into(convert.quality)(currentTarget.valueAsNumber)}
      />
    </div>
  );
}
