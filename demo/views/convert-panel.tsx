import { t } from "../messages/index.ts";
import {
  canBecome,
  type FileKind,
  formatName,
  IMAGE_FORMATS,
  OFFICE_FORMATS,
  type TargetFormat,
} from "../state/formats.ts";
import { convert, convertFields, isLossy, SIZE_UNITS } from "../state/options.ts";
import { serviceHost, serviceUrl } from "../state/service.ts";
import { convertibleKinds, fileKind, shownFile, targetFormat, wishedFormat } from "../state/task.ts";
import { Choice, into } from "./choice.tsx";
import { Field } from "./field.tsx";
import { lazily } from "./lazily.tsx";

const BeforeAfter = lazily(async () => (await import("./before-after.tsx")).BeforeAfter);

/** The format to convert to, and the options that this format has. */
export function ConvertPanel() {
  const format = targetFormat.value;
  const kinds = convertibleKinds.value;
  const isImage = IMAGE_FORMATS.some((one) => one === format);
  const leaves = kinds.has("office") || OFFICE_FORMATS.some((one) => one === format);
  const file = shownFile.value;
  return (
    <>
      <Choice
        name="format"
        label={t("convert.format")}
        value={format}
        options={offeredFormats(kinds).map((one) => [one, nameOf(one)])}
        onChoose={into(wishedFormat)}
      />
      {leaves && <p class="badge leaves">{t("convert.leaves", { host: serviceHost })}</p>}
      {isLossy(format) && <Quality />}
      {kinds.has("image") && (
        <div class="checks">
          <label>
            <input
              type="checkbox"
              checked={convert.keepsMetadata.value}
              aria-describedby="metadata-hint"
              onChange={({ currentTarget }) => {
                convert.keepsMetadata.value = currentTarget.checked;
              }}
            />
            {t("convert.metadata")}
          </label>
          <p class="hint" id="metadata-hint">
            {t("convert.metadataHint")}
          </p>
        </div>
      )}
      {isImage && (
        <details>
          <summary>{t("convert.more")}</summary>
          <div class="field-pair">
            <Field
              id="convert-size"
              label={t("convert.size")}
              value={convert.size}
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
              value={convert.side}
              input={{ inputMode: "numeric" }}
            />
            {kinds.has("pdf") && (
              <Field
                id="convert-dpi"
                label={t("convert.dpi")}
                value={convert.dpi}
                input={{ inputMode: "numeric" }}
              />
            )}
          </div>
        </details>
      )}
      {isImage && file && fileKind(file) === "image" && (
        <BeforeAfter key={file.id} file={file} options={convertFields()} />
      )}
    </>
  );
}

function Quality() {
  const quality = convert.quality.value;
  return (
    <div class="field">
      <label for="convert-quality">
        {t("convert.quality")} <output>{quality ?? t("convert.qualityAuto")}</output>
      </label>
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

/** Returns the formats that at least one of the files can become. */
function offeredFormats(kinds: ReadonlySet<FileKind | undefined>): readonly TargetFormat[] {
  const hasService = serviceUrl !== undefined;
  return FORMATS.filter((format) => [...kinds].some((kind) => kind && canBecome(kind, format, hasService)));
}

function nameOf(format: TargetFormat): string {
  return format === "txt" ? t("convert.text") : formatName(format);
}
