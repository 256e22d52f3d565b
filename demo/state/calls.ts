import { batch, signal } from "@preact/signals";
import type { Progress } from "../../src/index.ts";
import { archivedFiles } from "./archived-files.ts";
import { client } from "./client.ts";
import {
  addJob,
  bringBack,
  type DoneState,
  forgetLatest,
  forgetReplaced,
  isBusy,
  type Job,
  jobFor,
  jobs,
  removeJobs,
} from "./jobs.ts";
import { uniquelyNamed, withName } from "./names.ts";
import { outputOf } from "./outputs.ts";
import { pendingFiles, release, results } from "./results.ts";
import { makeCall, settingsOf } from "./settings.ts";
import { filesOfJobs, task } from "./task.ts";
import type { Task } from "./task-list.ts";
import type { TrayFile } from "./tray.ts";

/**
 * At most this many calls run at the same time: as many as the client has workers. The client serves calls first come, first
 * served. Without this limit, pictures and inspections would wait until all files are done.
 */
const MAX_RUNNING = Math.min(4, navigator.hardwareConcurrency || 2);

const waiting: Job[] = [];
const controllers = new Map<Job, AbortController>();
let running = 0;

/** Starts the task of the page with all files that are not done yet. */
export function startTask(): void {
  const { value: chosen } = task;
  if (chosen === undefined) return;
  const pending = pendingFiles.value;
  batch(() => {
    for (const files of pending) startJob(chosen, files);
  });
}

/** Starts the task of the page with one file, also if it has a result. A joint task starts with all of its files. */
export function retry(file?: TrayFile): void {
  const { value: chosen } = task;
  if (chosen === undefined) return;
  const again = filesOfJobs(chosen).find((files) => file === undefined || files.includes(file));
  if (again !== undefined) startJob(chosen, again);
}

/**
 * Starts a task with the options of this moment. Replaces the job of the same task and files. Its result is freed when the new one
 * is there.
 */
function startJob(task: Task, files: readonly TrayFile[]): void {
  const job: Job = { task, files, settings: settingsOf(task, files), state: signal({ kind: "waiting" }) };
  const replaced = jobFor(task, files);
  addJob(job);
  if (replaced !== undefined) endCall(replaced);
  waiting.push(job);
  startNext();
}

/** Ends a job, or takes it out of the queue. The result that it would have replaced is back. A job that has ended stays. */
export function cancel(job: Job): void {
  if (!isBusy(job)) return;
  endCall(job);
  batch(() => {
    removeJobs([job]);
    const replaced = forgetReplaced(job);
    if (replaced !== undefined) bringBack([replaced]);
  });
}

/** Ends all jobs. The page then says nothing of those that had ended since it was idle. */
export function cancelAll(): void {
  batch(() => {
    for (const job of jobs.value) cancel(job);
    forgetLatest();
  });
}

/**
 * Ends the jobs with a removed file, and takes the results away whose files are all removed. The result of a joint task stays
 * while one of its files is there.
 *
 * @returns the jobs with the results, for `bringBack` or `release`
 */
export function takeJobsOf(removed: readonly TrayFile[], remaining: readonly TrayFile[]): readonly Job[] {
  const gone = new Set(removed);
  const here = new Set(remaining);
  return batch(() => {
    for (const job of jobs.value) if (job.files.some((file) => gone.has(file))) cancel(job);
    const taken = jobs.value.filter(({ files }) => !files.some((file) => here.has(file)));
    removeJobs(taken);
    return taken;
  });
}

function endCall(job: Job): void {
  const place = waiting.indexOf(job);
  if (place >= 0) waiting.splice(place, 1);
  controllers.get(job)?.abort();
}

/** Starts the jobs in their order, so that the first files are done first. */
function startNext(): void {
  while (running < MAX_RUNNING) {
    const job = waiting.shift();
    if (job === undefined) return;
    running++;
    void run(job).finally(() => {
      running--;
      startNext();
    });
  }
}

async function run(job: Job): Promise<void> {
  const { settings, state } = job;
  const controller = new AbortController();
  const { signal } = controller;
  controllers.set(job, controller);
  let missingFonts: DoneState["missingFonts"];
  const onProgress = (progress: Progress) => {
    if (signal.aborted) return;
    const { phase, done, total } = progress;
    missingFonts = progress.missingFonts ?? missingFonts;
    state.value = { kind: "running", phase, done, total };
  };
  state.value = { kind: "running", phase: "reading", done: 0, total: 0 };
  try {
    const result = await makeCall(settings, { signal, onProgress });
    const file = client.blob(result);
    const { name, prefix = "" } = settings;
    const files = (await archivedFiles(file)).map((one) => withName(one, name ?? prefix + one.name));
    if (signal.aborted) return client.release(result);
    state.value = {
      kind: "done",
      result,
      archiveName: file.name,
      outputs: uniquelyNamed(files, namesBeside(job)).map(outputOf),
      missingFonts,
      wasOffline: !navigator.onLine,
    };
    const replaced = forgetReplaced(job);
    if (replaced !== undefined) release(replaced);
  } catch (error) {
    if (!signal.aborted) state.value = { kind: "failed", error };
  } finally {
    controllers.delete(job);
  }
}

/** Returns the names of the other results of the same task. */
function namesBeside({ task }: Job): readonly string[] {
  const beside = results.value.filter(({ job }) => job.task === task);
  return beside.flatMap(({ state }) => state.outputs.map(({ file }) => file.value.name));
}
