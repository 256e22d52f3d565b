import { computed } from "@preact/signals";
import { client } from "./client.ts";
import { type DoneState, isBusy, type Job, jobFor, jobs } from "./jobs.ts";
import { organizedPages } from "./organize.ts";
import { isSameSettings, settingsOf } from "./settings.ts";
import { fileKind, filesFor, filesOfJobs, targetFormat, task } from "./task.ts";
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

/** The files of each job that the button starts: those that have no result of the present options. */
export const pendingFiles = computed<readonly (readonly TrayFile[])[]>(() => {
  const { value: chosen } = task;
  if (chosen === undefined || (chosen === "organize" && organizedPages.value.length === 0)) return [];
  return filesOfJobs(chosen).filter((files) => {
    const job = jobFor(chosen, files);
    return job === undefined || !hasAnswer(job);
  });
});

/** The files that the button starts. */
export const startable = computed(() => pendingFiles.value.flat());

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
export function isCurrent({ task, files, settings }: Job): boolean {
  const now = isJoint(task) ? filesFor(task) : files;
  return isSameSettings(settings, settingsOf(task, now));
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

/** Marks the result of a job as saved. */
export function markSaved({ state }: Job): void {
  if (state.value.kind === "done") state.value = { ...state.value, isSaved: true };
}

/** Frees the result of a job, if it has one. */
export function release({ state }: Job): void {
  const { value } = state;
  if (value.kind === "done") client.release(value.result);
}

/** Whether a job runs, or has its result with the present options. */
function hasAnswer(job: Job): boolean {
  return isBusy(job) || (job.state.value.kind === "done" && isCurrent(job));
}

function resultOf(job: Job): readonly Result[] {
  const state = job.state.value;
  return state.kind === "done" ? [{ job, state }] : [];
}
