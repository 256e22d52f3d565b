import { useComputed } from "@preact/signals";
import { saveResult } from "../browser/save.ts";
import { language, t } from "../messages/index.ts";
import { cancel } from "../state/calls.ts";
import { percentage, readableSize, sizeChange } from "../state/formats.ts";
import type { DoneState, Job } from "../state/jobs.ts";
import { isCurrent, isLarger, sizeBefore } from "../state/results.ts";
import { serviceHost } from "../state/service.ts";
import { task } from "../state/task.ts";

/** The progress of a job, then its result. */
export function JobLine(props: {
  readonly name: string;
  readonly job: Job;
  readonly onRetry?: (() => void) | undefined;
}) {
  const { job, name, onRetry } = props;
  const state = job.state.value;
  const onCancel = () => cancel(job);
  switch (state.kind) {
    case "waiting":
      return <Progress name={name} label={t("row.waiting")} onCancel={onCancel} />;
    case "running": {
      const label =
        state.phase === "queued" ? t("row.waiting") : t(`row.${state.phase}`, { host: serviceHost });
      return <Progress name={name} label={label} done={state.done} total={state.total} onCancel={onCancel} />;
    }
    case "done":
      return <Output name={name} job={job} state={state} onRetry={onRetry} />;
    default:
      return null;
  }
}

/** A result, with all that a person should know before saving it. */
function Output(props: {
  readonly name: string;
  readonly job: Job;
  readonly state: DoneState;
  readonly onRetry: (() => void) | undefined;
}) {
  const { job, state, onRetry } = props;
  const isOutdated = useComputed(() => !isCurrent(job)).value;
  const result = { job, state };
  const before = sizeBefore(job);
  return (
    <div class="result">
      <p>
        {job.task !== task.value && <span class="hint">{t(`task.${job.task}`)}: </span>}
        <span class="result-name">{state.output.name}</span>{" "}
        <span class="hint">
          {readableSize(state.output.size, language())}
          {changeOf(state, before)}
        </span>
        {state.isSaved && <span class="hint"> · {t("row.saved")}</span>}
      </p>
      <button
        type="button"
        class={isOutdated ? "quiet" : "button small"}
        aria-label={t("row.saveName", { name: state.output.name })}
        onClick={() => saveResult(result)}
      >
        {t("row.save")}
      </button>
      {isOutdated && <p class="note">{t("row.outdated")}</p>}
      {before !== undefined && isLarger(result) && (
        <p class="note">{t("row.larger", { size: readableSize(before, language()) })}</p>
      )}
      <MissingFonts name={props.name} state={state} onRetry={onRetry} />
    </div>
  );
}

/** Returns how much smaller or larger a picture has become, after a comma. Empty for other results. */
function changeOf({ output }: DoneState, before: number | undefined): string {
  const isOneFile = output.type.startsWith("image/") || output.type === "application/pdf";
  if (before === undefined || !isOneFile) return "";
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
