import { startAgain } from "../browser/start.ts";
import { t } from "../messages/index.ts";
import type { Job } from "../state/jobs.ts";
import { failedName } from "../state/results.ts";
import { task as shownTask } from "../state/task.ts";
import { Failure } from "./failure.tsx";
import { JobLine } from "./job-line.tsx";

/** A task that makes one result of all files: its progress, its error. */
export function JointRow({ job }: { readonly job: Job }) {
  const state = job.state.value;
  const name = jointName(job);
  const onRetry = shownTask.value === job.task ? () => void startAgain() : undefined;
  return (
    <div class="row merged" data-state={state.kind}>
      <div class="row-text">
        <p class="row-name">{name}</p>
        <JobLine name={name} job={job} />
        {state.kind === "failed" && (
          <Failure error={state.error} name={name} of={failedName(job)} onRetry={onRetry} />
        )}
      </div>
    </div>
  );
}

/** Returns what a task makes of all files. */
export function jointName({ task }: Job): string {
  return t(task === "organize" ? "row.organized" : "row.merged");
}
