import { startAgain } from "../browser/start.ts";
import { language, t } from "../messages/index.ts";
import { cancel } from "../state/calls.ts";
import { percentage } from "../state/formats.ts";
import type { Job } from "../state/jobs.ts";
import { serviceHost } from "../state/service.ts";
import { task } from "../state/task.ts";
import { Failure } from "./failure.tsx";

/** The progress of a job. */
export function JobLine({ job, name }: { readonly job: Job; readonly name: string }) {
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
    default:
      return null;
  }
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
        {t("action.cancel")}
      </button>
    </div>
  );
}

/** A task that makes one result of all files: its progress, its error. */
export function JointRow({ job }: { readonly job: Job }) {
  const state = job.state.value;
  const name = t(job.task === "organize" ? "row.organized" : "row.merged");
  const onRetry = task.value === job.task ? () => void startAgain() : undefined;
  return (
    <div class="row merged" data-state={state.kind}>
      <div class="row-text">
        <p class="row-name">{name}</p>
        <JobLine name={name} job={job} />
        {state.kind === "failed" && <Failure error={state.error} name={name} onRetry={onRetry} />}
      </div>
    </div>
  );
}
