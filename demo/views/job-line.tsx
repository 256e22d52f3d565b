import { startAgain } from "../browser/start.ts";
import { language, t } from "../messages/index.ts";
import { cancel } from "../state/calls.ts";
import { explain } from "../state/explain.ts";
import { percentage } from "../state/formats.ts";
import { isBusy, type Job } from "../state/jobs.ts";
import { serviceHost } from "../state/service.ts";
import { task } from "../state/task.ts";
import { Button } from "./button.tsx";

/** The progress of a job. */
export function JobLine({ job, name }: { readonly job: Job; readonly name: string }) {
  const state = job.state.value;
  if (!isBusy(job)) return null;
  const { phase = "queued", done = 0, total = 0 } = state.kind === "running" ? state : {};
  const label = phase === "queued" ? t("row.waiting") : t(`row.${phase}`, { host: serviceHost });
  return (
    <div class="progress">
      <progress aria-label={`${label}: ${name}`} {...(total > 0 && { value: done, max: total })} />
      <span class="hint">
        {label}
        {total > 0 && ` ${percentage(done, total, language())}`}
      </span>
      <Button
        class="button small"
        text={t("action.cancel")}
        label={t("row.cancelName", { name })}
        onClick={() => cancel(job)}
      />
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

/** An error: a sentence for the user, the remedy as a button, and the code for a report. */
export function Failure(props: {
  readonly error: unknown;
  readonly name: string;
  readonly onRetry?: (() => void) | undefined;
  readonly onPassword?: () => void;
  /** Whether the file has no bytes, which says more than the error. */
  readonly isEmpty?: boolean;
}) {
  const { message, values, remedy, details } = explain(props.error);
  return (
    <div class="failure">
      <p>{props.isEmpty ? t("error.empty") : t(message, values)}</p>
      {remedy === "retry" && props.onRetry && (
        <Button
          class="button small"
          text={t("row.retry")}
          label={t("row.retryName", { name: props.name })}
          onClick={props.onRetry}
        />
      )}
      {remedy === "password" && props.onPassword && (
        <Button class="button small" text={t("row.enterPassword")} onClick={props.onPassword} />
      )}
      <details>
        <summary>{t("row.details")}</summary>
        <code>{details}</code>
      </details>
    </div>
  );
}
