import { t } from "../messages/index.ts";
import { cancel, mergeJob, retryMerge } from "../state/jobs.ts";
import { Failure } from "./failure.tsx";
import { JobLine } from "./job-line.tsx";

/** The job of merging: its progress, its result, its error. */
export function MergeRow() {
  const job = mergeJob.value;
  const name = t("row.merged");
  return (
    <div class="row merged" data-state={job.kind}>
      <div class="row-text">
        <p class="row-name">{name}</p>
        <JobLine name={name} job={mergeJob} onCancel={() => cancel(mergeJob)} />
        {job.kind === "failed" && <Failure error={job.error} name={name} onRetry={retryMerge} />}
      </div>
    </div>
  );
}
