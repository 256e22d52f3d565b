import { startAgain } from "../browser/start.ts";
import { t } from "../messages/index.ts";
import type { Job } from "../state/jobs.ts";
import { task } from "../state/task.ts";
import { Failure } from "./failure.tsx";
import { JobLine } from "./job-line.tsx";

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
