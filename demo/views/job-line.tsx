import type { Signal } from "@preact/signals";
import { saveResult } from "../browser/save.ts";
import { language, t } from "../messages/index.ts";
import { percentage, readableSize, sizeChange } from "../state/formats.ts";
import { serviceHost } from "../state/service.ts";
import type { DoneState, JobState } from "../state/tray.ts";

/** The progress of a job, then its result. */
export function JobLine(props: {
  readonly name: string;
  readonly job: Signal<JobState>;
  /** The size of the file in bytes, if the result is a picture of the same kind. */
  readonly sizeBefore?: number | undefined;
  readonly onCancel: () => void;
  readonly onRetry?: (() => void) | undefined;
}) {
  const state = props.job.value;
  switch (state.kind) {
    case "waiting":
      return <Progress {...props} label={t("row.waiting")} />;
    case "running": {
      const label =
        state.phase === "queued" ? t("row.waiting") : t(`row.${state.phase}`, { host: serviceHost });
      return <Progress {...props} label={label} done={state.done} total={state.total} />;
    }
    case "done":
      return (
        <div class="result">
          <p>
            <span class="result-name">{state.output.name}</span>{" "}
            <span class="hint">
              {readableSize(state.output.size, language())}
              {changeOf(state, props.sizeBefore)}
            </span>
            {state.isSaved && <span class="hint"> · {t("row.saved")}</span>}
          </p>
          <button
            type="button"
            class="button small"
            aria-label={t("row.saveName", { name: state.output.name })}
            onClick={() => saveResult({ job: props.job, state })}
          >
            {t("row.save")}
          </button>
          <MissingFonts name={props.name} state={state} onRetry={props.onRetry} />
        </div>
      );
    default:
      return null;
  }
}

/** Returns how much smaller or larger a picture has become, after a comma. Empty for other results. */
function changeOf({ output }: DoneState, before: number | undefined): string {
  if (before === undefined || !output.type.startsWith("image/")) return "";
  const change = sizeChange(before, output.size, language());
  return change && `, ${change}`;
}

function Progress(props: {
  readonly name: string;
  readonly label: string;
  readonly done?: number;
  readonly total?: number;
  readonly onCancel: () => void;
}) {
  const { done, total } = props;
  return (
    <div class="progress">
      <progress
        aria-label={`${props.label}: ${props.name}`}
        {...(total ? { value: done ?? 0, max: total } : {})}
      />
      <span class="hint">
        {props.label}
        {total ? ` ${percentage(done ?? 0, total, language())}` : ""}
      </span>
      <button
        type="button"
        class="button small"
        aria-label={t("row.cancelName", { name: props.name })}
        onClick={props.onCancel}
      >
        {t("row.cancel")}
      </button>
    </div>
  );
}

/** Says that the result may lack text, and offers to try again where the network was missing. */
function MissingFonts(props: {
  readonly name: string;
  readonly state: DoneState;
  readonly onRetry: (() => void) | undefined;
}) {
  const { missingFonts, wasOffline } = props.state;
  if (missingFonts === undefined) return null;
  const names = missingFonts.join(", ");
  return (
    <>
      <p class="note">{t(wasOffline ? "row.offlineFonts" : "row.missingFonts", { names })}</p>
      {wasOffline && props.onRetry && (
        <button
          type="button"
          class="button small"
          aria-label={t("row.retryName", { name: props.name })}
          onClick={props.onRetry}
        >
          {t("row.retry")}
        </button>
      )}
    </>
  );
}
