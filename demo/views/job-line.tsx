import { language, t } from "../messages/index.ts";
import { cancel } from "../state/calls.ts";
import { percentage } from "../state/formats.ts";
import { isBusy, type Job } from "../state/jobs.ts";
import { serviceHost } from "../state/service.ts";
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
