import { batch, computed } from "@preact/signals";
import { callOf, isSameCall } from "./calls.ts";
import { type DoneState, isBusy, type Job, jobs, jobsOf, jointJobs, startJob } from "./jobs.ts";
import { organizedPages } from "./organize.ts";
import { fileKind, filesFor, targetFormat, task, taskFiles } from "./task.ts";
import { isJoint } from "./task-list.ts";
import { type TrayFile, trayFiles } from "./tray.ts";

/** A job that has its result. */
export interface Result {
  readonly job: Job;
  readonly state: DoneState;
}

/** The results of all tasks. */
export const results = computed(() => jobs.value.flatMap(resultOf));

/** The results of the task of the page, in the order of the files. */
const taskResults = computed(() => {
  const places = new Map(trayFiles.value.map((file, index) => [file, index]));
  const placeOf = ({ job }: Result) => (job.files[0] && places.get(job.files[0])) ?? 0;
  return results.value
    .filter(({ job }) => job.task === task.value)
    .sort((one, other) => placeOf(one) - placeOf(other));
});

/** The results of the task of the page that its present options make. These are saved together. */
export const currentResults = computed(() => taskResults.value.filter(({ job }) => isCurrent(job)));

/** How many results of the task of the page were made with other options, or of other files. */
export const outdatedCount = computed(() => taskResults.value.length - currentResults.value.length);

/** How many files the task of the page has failed with. */
export const failedCount = computed(
  () => jobs.value.filter((job) => job.task === task.value && job.state.value.kind === "failed").length,
);

/** How many of the results that are saved together are pictures larger than their files. */
export const largerCount = computed(() => currentResults.value.filter(isLarger).length);

/** The files that the button starts: those that have no result of the present options. */
export const startable = computed(() => {
  if (task.value === "organize" && organizedPages.value.length === 0) return [];
  if (task.value !== undefined && isJoint(task.value)) {
    return jointJobs.value.some((job) => job.task === task.value && hasAnswer(job)) ? [] : taskFiles.value;
  }
  return taskFiles.value.filter(
    (file) => !jobsOf(file).some((job) => job.task === task.value && hasAnswer(job)),
  );
});

/** Whether a result would be lost with the page. */
export const hasUnsaved = computed(() => results.value.some(({ state }) => !state.isSaved));

/** The size of the files that became the results, for a comparison. Absent where it says nothing. */
export const comparableSize = computed(() => {
  if (task.value === "convert" && targetFormat.value === "txt") return undefined;
  const sizes = currentResults.value.map(({ job }) => sizeBefore(job) ?? Number.NaN);
  const sum = sizes.reduce((total, size) => total + size, 0);
  return Number.isNaN(sum) ? undefined : sum;
});

/** Whether the present options would make the same of the same files again. */
export function isCurrent({ task, files, call }: Job): boolean {
  const now = isJoint(task) ? filesFor(task) : files;
  return isSameCall(call, callOf(task, now));
}

/** Whether a picture has become larger by its conversion. */
export function isLarger({ job, state }: Result): boolean {
  const before = sizeBefore(job);
  return before !== undefined && state.output.type.startsWith("image/") && state.output.size > before;
}

/** Returns the size of the file that a job shrinks or makes another picture, in bytes. Undefined for other jobs, whose results do not compare. */
export function sizeBefore({ task, files: [file] }: Job): number | undefined {
  if (file === undefined) return undefined;
  const compares = task === "shrink" || (task === "convert" && fileKind(file) === "image");
  return compares ? file.file.size : undefined;
}

/** Starts the task of the page with all files that are not done yet. */
export function startTask(): void {
  const files = startable.value;
  const chosen = task.value;
  if (chosen === undefined || files.length === 0) return;
  if (isJoint(chosen)) startJob(chosen, files);
  else
    batch(() => {
      for (const file of files) startJob(chosen, [file]);
    });
}

/** Starts the task of the page with one file, also if it has a result. A merge starts with all of its files. */
export function retry(file?: TrayFile): void {
  if (task.value === undefined) return;
  if (isJoint(task.value)) startJob(task.value, taskFiles.value);
  else if (file !== undefined) startJob(task.value, [file]);
}

/** Whether a job runs, or has its result with the present options. */
function hasAnswer(job: Job): boolean {
  return isBusy(job) || (job.state.value.kind === "done" && isCurrent(job));
}

function resultOf(job: Job): readonly Result[] {
  const state = job.state.value;
  return state.kind === "done" ? [{ job, state }] : [];
}
