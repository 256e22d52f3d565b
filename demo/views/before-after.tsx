import "../styles/comparison.css";
import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import type { ConvertParams } from "../../src/index.ts";
import { language, t } from "../messages/index.ts";
import { Comparison } from "../state/comparison.ts";
import { explain } from "../state/explain.ts";
import { readableSize, sizeChange } from "../state/formats.ts";
import type { TrayFile } from "../state/tray.ts";

interface Props {
  readonly file: TrayFile;
  /** What `convert` gets besides the file. */
  readonly options: Omit<ConvertParams, "file">;
}

/** A picture before and after its conversion, on demand. */
export function BeforeAfter({ file, options }: Props) {
  const isOpen = useSignal(false);
  return (
    <section class="comparison">
      <button
        type="button"
        class="button"
        aria-expanded={isOpen.value}
        onClick={() => {
          isOpen.value = !isOpen.value;
        }}
      >
        {t(isOpen.value ? "compare.close" : "compare.open")}
      </button>
      {isOpen.value && <Pictures file={file} options={options} />}
    </section>
  );
}

function Pictures({ file, options }: Props) {
  const comparison = useMemo(() => new Comparison(file), [file]);
  const at = useSignal(50);
  useEffect(() => () => comparison.close(), [comparison]);
  const settings = JSON.stringify(options);
  useEffect(() => {
    void comparison.show(options);
  }, [comparison, settings]);

  const before = comparison.before.value;
  const after = comparison.after.value;
  const error = comparison.error.value;
  if (error !== undefined) {
    const { message, values } = explain(error);
    return <p class="field-problem">{t(message, values)}</p>;
  }
  if (before === undefined || after === undefined) return <p class="hint">{t("compare.working")}</p>;
  const change = sizeChange(before.size, after.size, language());
  return (
    <figure>
      <div class="compared" style={{ "--at": `${at.value}%` }}>
        <img src={before.url} alt={t("compare.before")} />
        <img class="after" src={after.url} alt={t("compare.after")} />
      </div>
      <input
        type="range"
        min="0"
        max="100"
        value={at.value}
        aria-label={t("compare.divider")}
        onInput={({ currentTarget }) => {
          at.value = currentTarget.valueAsNumber;
        }}
      />
      <figcaption>
        <span>
          {t("compare.before")} {readableSize(before.size, language())}
        </span>
        <span>
          {t("compare.after")} {readableSize(after.size, language())}
          {change && `, ${change}`}
        </span>
      </figcaption>
    </figure>
  );
}
