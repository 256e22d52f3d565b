import { batch, computed, type Signal, signal } from "@preact/signals";
import type { Phase, ServiceResult } from "../../src/index.ts";
import type { Output } from "./outputs.ts";
import type { Settings } from "./settings.ts";
import { isJoint, type Task } from "./task-list.ts";
import type { TrayFile } from "./tray.ts";

/** A task that is done with some files, and its settings: a value that belongs to the job alone. */
export interface Job {
  readonly task: Task;
  /** A joint task has several files, all others have one. */
  readonly files: readonly TrayFile[];
  readonly settings: Settings;
  readonly state: Signal<JobState>;
}

/** The state of a job. */
export type JobState =
  | { readonly kind: "waiting" }
  | { readonly kind: "running"; readonly done: number; readonly total: number; readonly phase: Phase }
  | DoneState
  | { readonly kind: "failed"; readonly error: unknown };

/** A finished job. */
export interface DoneState {
  readonly kind: "done";
  readonly result: ServiceResult;
  /** The name of an archive of several outputs. */
  readonly archiveName: string;
  /** The files to save, in order. */
  readonly outputs: readonly Output[];
  /** Fonts that were missing, so that the pictures lack text. */
  readonly missingFonts?: readonly string[] | undefined;
  /** Whether the device was offline, so that a missing font may be there later. */
  readonly wasOffline: boolean;
}

/** The jobs, from the oldest. A task has at most one for each file, and a joint task has one. A cancelled job is none. */
export const jobs = signal<readonly Job[]>([]);

/** For a job that is not done: the job whose result it replaces. The result is freed once the new job is done. */
const replacedJobs = new WeakMap<Job, Job>();

/** The jobs since the page was last idle. */
export const latestJobs = signal<readonly Job[]>([]);

/** Whether a job waits or runs. */
export const isWorking = computed(() => jobs.value.some(isBusy));

/** The number of jobs since the page was last idle, and how many of them have ended. */
export const tally = computed(() => {
  const kinds = latestJobs.value.map(({ state }) => state.value.kind);
  const count = (kind: JobState["kind"]) => kinds.filter((one) => one === kind).length;
  return { total: kinds.length, ready: count("done"), failed: count("failed") };
});

/** How much of the jobs since the page was last idle is done, from 0 to 1. */
export const workDone = computed(() => {
  const shares = latestJobs.value.map(({ state: { value } }) => {
    if (value.kind === "running") return value.total > 0 ? Math.min(1, value.done / value.total) : 0;
    return value.kind === "waiting" ? 0 : 1;
  });
  return shares.reduce<number>((sum, share) => sum + share, 0) / Math.max(1, shares.length);
});

/** The jobs that make one result of all files. */
export const jointJobs = computed(() => jobs.value.filter((job) => subjectOf(job) === undefined));

const jobsBySubject = computed(() => {
  const bySubject = new Map<TrayFile | undefined, readonly Job[]>();
  for (const job of jobs.value) {
    const subject = subjectOf(job);
    bySubject.set(subject, [...(bySubject.get(subject) ?? []), job]);
  }
  return bySubject;
});

/** Returns the jobs of a file, at most one for each task. Those of several files are not included. */
export function jobsOf(file: TrayFile): readonly Job[] {
  return jobsBySubject.value.get(file) ?? [];
}

/** Returns the job of a task with some files. There is at most one. */
export function jobFor(task: Task, files: readonly TrayFile[]): Job | undefined {
  const subject = subjectOf({ task, files });
  return jobsBySubject.value.get(subject)?.find((job) => job.task === task);
}

/** Whether a job waits or runs. */
export function isBusy({ state }: Job): boolean {
  return state.value.kind === "waiting" || state.value.kind === "running";
}

/** Returns the job whose result is kept for a job that is not done. */
export function replacedJob(job: Job): Job | undefined {
  return replacedJobs.get(job);
}

/** Ends what {@link replacedJob} returns, and returns it for the last time. */
export function forgetReplaced(job: Job): Job | undefined {
  const replaced = replacedJobs.get(job);
  replacedJobs.delete(job);
  return replaced;
}

/**
 * Adds a job in the place of the one that {@link jobFor} returns. Keeps the result of that one, or the result that was kept for it.
 */
export function addJob(job: Job): void {
  const replaced = jobFor(job.task, job.files);
  const before = replaced?.state.value.kind === "done" ? replaced : replaced && forgetReplaced(replaced);
  if (before !== undefined) replacedJobs.set(job, before);
  batch(() => {
    const others = isWorking.value ? latestJobs.value : [];
    if (replaced !== undefined) removeJobs([replaced]);
    jobs.value = [...jobs.value, job];
    latestJobs.value = [...others.filter((one) => one !== replaced), job];
  });
}

/** Takes jobs away. */
export function removeJobs(some: readonly Job[]): void {
  const gone = new Set(some);
  const remaining = (all: readonly Job[]) => all.filter((job) => !gone.has(job));
  batch(() => {
    jobs.value = remaining(jobs.value);
    latestJobs.value = remaining(latestJobs.value);
  });
}

/** Counts no job since the page was last idle. */
export function forgetLatest(): void {
  latestJobs.value = [];
}

/** Brings jobs back that were taken away, but not in the place of newer ones. */
export function bringBack(taken: readonly Job[]): void {
  jobs.value = [...jobs.value, ...taken.filter(({ task, files }) => jobFor(task, files) === undefined)];
}

/** Returns the file that a job belongs to. Undefined for a joint task, which belongs to all of its files. */
function subjectOf({ task, files }: Pick<Job, "task" | "files">): TrayFile | undefined {
  return isJoint(task) ? undefined : files[0];
}
