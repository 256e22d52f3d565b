import { computed, type Signal, signal } from "@preact/signals";
import type { CallOptions, Progress, ServiceResult } from "../../src/index.ts";
import { client } from "./client.ts";
import { convertFields, pageSize, protectFields, split, splitFields } from "./options.ts";
import { normalizePages } from "./page-selection.ts";
import { soleFile } from "./sole-file.ts";
import { fileKind, targetFormat, task, taskFiles } from "./task.ts";
import type { Task } from "./task-list.ts";
import { type DoneState, type JobState, NO_JOB, passwordField, type TrayFile, trayFiles } from "./tray.ts";

/** A job to run, and the signal that shows its state. */
interface Work {
  readonly job: Signal<JobState>;
  readonly settings: string;
  /** What the name of the output begins with, if the client does not tell it apart from that of the file. */
  readonly prefix?: string;
  run(call: CallOptions): Promise<ServiceResult>;
}

/** At most this many jobs run at the same time: as many as the client has workers. */
const MAX_RUNNING = Math.min(4, navigator.hardwareConcurrency || 2);

/** The job of merging, which has several files. */
export const mergeJob = signal<JobState>(NO_JOB);

const waiting: Work[] = [];
const controllers = new Map<Signal<JobState>, AbortController>();
let running = 0;

/** Returns the task and its options as text. A file that is done with the same ones is not done again. */
function settingsOf(file?: TrayFile): string {
  switch (task.value) {
    case "protect":
      return JSON.stringify(["protect", protectFields()]);
    case "split":
      return JSON.stringify(["split", file && splitFields(file)]);
    case "merge":
      return JSON.stringify(["merge", pageSize.value, ...taskFiles.value.map(mergeSettings)]);
    case "convert":
      return JSON.stringify(["convert", convertFields()]);
    default:
      return JSON.stringify([task.value]);
  }
}

function mergeSettings({ id, mergePages }: TrayFile): readonly [id: number, pages: string] {
  return [id, normalizePages(mergePages.value)];
}

/** All jobs of the page: those of the files, and that of merging. */
const jobs = computed(() => [...trayFiles.value.map(({ job }) => job), mergeJob]);

/** The jobs since the page was last idle. */
const batchJobs = signal<readonly Signal<JobState>[]>([]);

/** The number of jobs since the page was last idle, and how many of them have ended. */
export const tally = computed(() => {
  const states = batchJobs.value.map((job) => job.value.kind);
  const count = (kind: JobState["kind"]) => states.filter((one) => one === kind).length;
  return { total: states.length - count("none"), ready: count("done"), failed: count("failed") };
});

/** The files that the button starts: those that have no result with the present settings. */
export const startable = computed(() => {
  if (task.value === "merge") return isCurrent(mergeJob.value, settingsOf()) ? [] : taskFiles.value;
  return taskFiles.value.filter((file) => !isCurrent(file.job.value, settingsOf(file)));
});

/** Whether a job waits or runs. */
export const isWorking = computed(() => jobs.value.some((job) => isBusy(job.value)));

/** The results, in order. */
export const results = computed(() =>
  jobs.value.flatMap((job) => (job.value.kind === "done" ? [{ job, state: job.value }] : [])),
);

/** Whether a result would be lost with the page. */
export const hasUnsaved = computed(() => results.value.some(({ state }) => !state.isSaved));

/** The size of the files that became the results, for a comparison. Absent where it says nothing. */
export const comparableSize = computed(() => {
  if (task.value !== "convert" || targetFormat.value === "txt") return undefined;
  const done = trayFiles.value.filter(({ job }) => job.value.kind === "done");
  if (done.some((file) => fileKind(file) !== "image")) return undefined;
  return done.reduce((sum, { file }) => sum + file.size, 0);
});

function isBusy({ kind }: JobState): boolean {
  return kind === "waiting" || kind === "running";
}

/** Whether a job has its result with the present settings, or will have it. */
function isCurrent(state: JobState, settings: string): boolean {
  return state.kind === "done" ? state.settings === settings : isBusy(state);
}

/** Starts the task of the page with all files that are not done yet. */
export function startTask(): void {
  const files = startable.value;
  const chosen = task.value;
  if (chosen === undefined || files.length === 0) return;
  if (chosen === "merge") enqueue(mergeWork(files));
  else for (const file of files) enqueue(fileWork(chosen, file));
}

/** Starts the task with one file, also if it has a result. */
export function retry(file: TrayFile): void {
  if (task.value !== undefined && task.value !== "merge") enqueue(fileWork(task.value, file));
}

/** Starts merging again. */
export function retryMerge(): void {
  enqueue(mergeWork(taskFiles.value));
}

/** Ends the job of a file, or takes it out of the queue. */
export function cancel(job: Signal<JobState>): void {
  const place = waiting.findIndex((work) => work.job === job);
  if (place >= 0) waiting.splice(place, 1);
  controllers.get(job)?.abort();
  if (isBusy(job.value)) job.value = NO_JOB;
}

/** Ends all jobs. */
export function cancelAll(): void {
  for (const job of jobs.value) cancel(job);
}

function enqueue(work: Work): void {
  cancel(work.job);
  batchJobs.value = [...(isWorking.value ? batchJobs.value : []).filter((job) => job !== work.job), work.job];
  if (work.job.value.kind === "done") client.release(work.job.value.result);
  work.job.value = { kind: "waiting" };
  waiting.push(work);
  startNext();
}

/** Starts the jobs in their order, so that the first files are done first. */
function startNext(): void {
  while (running < MAX_RUNNING) {
    const work = waiting.shift();
    if (work === undefined) return;
    running++;
    void runOne(work).finally(() => {
      running--;
      startNext();
    });
  }
}

async function runOne({ job, run, settings, prefix }: Work): Promise<void> {
  const controller = new AbortController();
  const { signal } = controller;
  controllers.set(job, controller);
  let missingFonts: DoneState["missingFonts"];
  const onProgress = (progress: Progress) => {
    if (signal.aborted) return;
    const { phase, done, total } = progress;
    missingFonts = progress.missingFonts ?? missingFonts;
    job.value = { kind: "running", phase, done, total };
  };
  job.value = { kind: "running", phase: "reading", done: 0, total: 0 };
  try {
    const result = await run({ signal, onProgress });
    const output = withPrefix(await soleFile(client.blob(result)), prefix);
    if (signal.aborted) {
      client.release(result);
      return;
    }
    job.value = {
      kind: "done",
      result,
      output,
      isSaved: false,
      settings,
      missingFonts,
      wasOffline: !navigator.onLine,
    };
  } catch (error) {
    if (!signal.aborted) job.value = { kind: "failed", error };
  } finally {
    if (controllers.get(job) === controller) controllers.delete(job);
  }
}

/** Returns a file whose name begins with a prefix, if there is one. */
function withPrefix(file: File, prefix = ""): File {
  return prefix === "" ? file : new File([file], prefix + file.name, { type: file.type });
}

/** Returns the work of a task with one file, with the options of this moment. */
function fileWork(chosen: Exclude<Task, "merge">, file: TrayFile): Work {
  const work = { job: file.job, settings: settingsOf(file), run: fileCall(chosen, file) };
  const isTogether = chosen === "split" && split.way.value === "together";
  return isTogether ? { ...work, prefix: "pages-" } : work;
}

function fileCall(chosen: Exclude<Task, "merge">, tray: TrayFile): Work["run"] {
  const { file } = tray;
  const password = tray.password.value;
  const opened = passwordField(password);
  switch (chosen) {
    case "protect": {
      const params = { ...protectFields(), file };
      return (call) => client.protectPdf(params, call);
    }
    case "unlock":
      return (call) => client.unlockPdf({ file, password }, call);
    case "split": {
      const params = { ...splitFields(tray), ...opened };
      return (call) =>
        "output_format" in params ? client.convert(params, call) : client.splitPdf(params, call);
    }
    case "convert": {
      const params = { ...convertFields(), ...opened, file };
      return (call) => client.convert(params, call);
    }
  }
}

function mergeWork(files: readonly TrayFile[]): Work {
  const all = files.map(({ file }) => file);
  const areImages = files.every((file) => fileKind(file) === "image");
  const password = files.map((file) => file.password.value);
  const pages = files.map(({ mergePages }) => normalizePages(mergePages.value));
  const size = pageSize.value;
  return {
    job: mergeJob,
    settings: settingsOf(),
    run: (call) =>
      areImages
        ? client.convert({ file: all, output_format: "pdf", page_size: size }, call)
        : client.mergePdf({ file: all, pages, password }, call),
  };
}
