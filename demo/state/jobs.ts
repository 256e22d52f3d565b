import { batch, computed, type Signal, signal } from "@preact/signals";
import type { Phase, Progress, ServiceResult } from "../../src/index.ts";
import { type Call, callOf, makeCall } from "./calls.ts";
import { client } from "./client.ts";
import { soleFile } from "./sole-file.ts";
import { isJoint, type Task } from "./task-list.ts";
import type { TrayFile } from "./tray.ts";

/** A task with its files and the options that it was started with. A joint task has several files, all others have one. */
export interface Job {
  readonly task: Task;
  readonly files: readonly TrayFile[];
  readonly call: Call;
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
  /** The file to save. */
  readonly output: File;
  readonly isSaved: boolean;
  /** Fonts that were missing, so that the pictures lack text. */
  readonly missingFonts?: readonly string[] | undefined;
  /** Whether the device was offline, so that a missing font may be there later. */
  readonly wasOffline: boolean;
}

/** At most this many jobs run at the same time: as many as the client has workers. */
const MAX_RUNNING = Math.min(4, navigator.hardwareConcurrency || 2);

/** The jobs, from the oldest. A task has at most one for each file, and a joint task has one. A cancelled job is none. */
export const jobs = signal<readonly Job[]>([]);

/** The jobs since the page was last idle. */
const batchJobs = signal<readonly Job[]>([]);

const waiting: Job[] = [];
const controllers = new Map<Job, AbortController>();
let running = 0;

/** Whether a job waits or runs. */
export const isWorking = computed(() => jobs.value.some(isBusy));

/** The number of jobs since the page was last idle, and how many of them have ended. */
export const tally = computed(() => {
  const kinds = batchJobs.value.map(({ state }) => state.value.kind);
  const count = (kind: JobState["kind"]) => kinds.filter((one) => one === kind).length;
  return { total: kinds.length, ready: count("done"), failed: count("failed") };
});

/** The jobs that make one result of all files. */
export const jointJobs = computed(() => jobs.value.filter(({ task }) => isJoint(task)));

const jobsByFile = computed(() => {
  const byFile = new Map<TrayFile, readonly Job[]>();
  for (const job of jobs.value) {
    const [file] = job.files;
    if (file !== undefined && !isJoint(job.task)) byFile.set(file, [...(byFile.get(file) ?? []), job]);
  }
  return byFile;
});

/** Returns the jobs of a file, at most one for each task. Those of several files are not included. */
export function jobsOf(file: TrayFile): readonly Job[] {
  return jobsByFile.value.get(file) ?? [];
}

/** Whether a job waits or runs. */
export function isBusy({ state }: Job): boolean {
  return state.value.kind === "waiting" || state.value.kind === "running";
}

/** Starts a task with the options of this moment. Replaces the job of the same task and file, or that of the same joint task. */
export function startJob(task: Task, files: readonly TrayFile[]): void {
  const job: Job = { task, files, call: callOf(task, files), state: signal({ kind: "waiting" }) };
  const replaced = jobs.value.filter(
    (one) => one.task === task && (isJoint(task) || one.files[0] === files[0]),
  );
  batch(() => {
    const others = isWorking.value ? batchJobs.value : [];
    for (const one of replaced) release(cancel(one));
    jobs.value = [...without(jobs.value, replaced), job];
    batchJobs.value = [...without(others, replaced), job];
  });
  waiting.push(job);
  startNext();
}

/** Ends a job, or takes it out of the queue. One that has ended stays. */
export function cancel(job: Job): Job {
  if (!isBusy(job)) return job;
  const place = waiting.indexOf(job);
  if (place >= 0) waiting.splice(place, 1);
  controllers.get(job)?.abort();
  takeAway([job]);
  return job;
}

/** Ends all jobs. */
export function cancelAll(): void {
  batch(() => {
    for (const job of jobs.value) cancel(job);
  });
}

/**
 * Ends the jobs with a removed file, and takes the results away whose files are all removed. The result of a joint task stays
 * while one of its files is there.
 *
 * @returns the jobs with the results, for {@link bringBack} or {@link release}
 */
export function takeJobsOf(removed: readonly TrayFile[], remaining: readonly TrayFile[]): readonly Job[] {
  const gone = new Set(removed);
  const here = new Set(remaining);
  return batch(() => {
    for (const job of jobs.value) if (job.files.some((file) => gone.has(file))) cancel(job);
    const taken = jobs.value.filter(({ files }) => !files.some((file) => here.has(file)));
    takeAway(taken);
    return taken;
  });
}

/** Brings jobs back that {@link takeJobsOf} took away, but not in the place of newer ones. */
export function bringBack(taken: readonly Job[]): void {
  const isThere = (job: Job) =>
    jobs.value.some((one) => one.task === job.task && (isJoint(job.task) || one.files[0] === job.files[0]));
  jobs.value = [...jobs.value, ...taken.filter((job) => !isThere(job))];
}

/** Frees the result of a job, if it has one. */
export function release({ state }: Job): void {
  const { value } = state;
  if (value.kind === "done") client.release(value.result);
}

/** Marks the result of a job as saved. */
export function markSaved({ state }: Job): void {
  if (state.value.kind === "done") state.value = { ...state.value, isSaved: true };
}

function takeAway(some: readonly Job[]): void {
  jobs.value = without(jobs.value, some);
  batchJobs.value = without(batchJobs.value, some);
}

function without(all: readonly Job[], some: readonly Job[]): readonly Job[] {
  const gone = new Set(some);
  return all.filter((job) => !gone.has(job));
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
  const { call, state } = job;
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
    const result = await makeCall(call, { signal, onProgress });
    const output = withName(await soleFile(client.blob(result)), call);
    if (signal.aborted) {
      client.release(result);
      return;
    }
    state.value = {
      kind: "done",
      result,
      output,
      isSaved: false,
      missingFonts,
      wasOffline: !navigator.onLine,
    };
  } catch (error) {
    if (!signal.aborted) state.value = { kind: "failed", error };
  } finally {
    controllers.delete(job);
  }
}

/** Returns a file with the name that its call says, or with the prefix. */
function withName(file: File, call: Call): File {
  const name = "name" in call ? call.name : "prefix" in call ? call.prefix + file.name : file.name;
  return name === undefined || name === file.name ? file : new File([file], name, { type: file.type });
}
