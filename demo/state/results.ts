import { computed } from "@preact/signals";
import { ServiceError } from "../../src/index.ts";
import { client } from "./client.ts";
import { type DoneState, isBusy, type Job, jobFor, jobs, replacedJob } from "./jobs.ts";
import { organizedPages } from "./organize.ts";
import { forgetPreview, type Output, outputKind } from "./outputs.ts";
import { isSame, settingsOf } from "./settings.ts";
import { fileKind, filesFor, filesOfJobs, targetFormat, task } from "./task.ts";
import { isJoint } from "./task-list.ts";
import { type TrayFile, trayFiles } from "./tray.ts";

/** A job that has its result. */
export interface Result {
  readonly job: Job;
  readonly state: DoneState;
}

/** The results of all tasks. In the place of a job that has failed is the result that it would have replaced. */
export const results = computed(() => jobs.value.flatMap(resultOf));

/** The results of the task of the page, in the order of the files. */
export const taskResults = computed(() => {
  const places = new Map(trayFiles.value.map((file, index) => [file, index]));
  const placeOf = ({ job }: Result) => (job.files[0] && places.get(job.files[0])) ?? 0;
  return results.value
    .filter(({ job }) => job.task === task.value)
    .sort((one, other) => placeOf(one) - placeOf(other));
});

/** The results of the task of the page that its present options make. These are saved together. */
export const currentResults = computed(() => taskResults.value.filter(({ job }) => isCurrent(job)));

/** The files of the results that are saved together. */
export const currentOutputs = computed(() => currentResults.value.flatMap(({ state }) => state.outputs));

/** How many results of the task of the page were made with other options, or of other files. */
export const outdatedCount = computed(() => taskResults.value.length - currentResults.value.length);

/** The jobs that the task of the page has failed with. */
export const failedJobs = computed(() =>
  jobs.value.filter((job) => job.task === task.value && job.state.value.kind === "failed"),
);

/** How many of the files that are saved together are larger than expected. */
export const largerCount = computed(() => {
  const sizes = currentResults.value.flatMap((result) =>
    result.state.outputs.map((output) => exceededSize(result, output)),
  );
  return sizes.filter((size) => size !== undefined).length;
});

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
export const hasUnsaved = computed(() => results.value.some((result) => !isSaved(result)));

/** The size of the files that became the results, for a comparison. Absent where it says nothing. */
export const comparableSize = computed(() => {
  if (task.value === "convert" && targetFormat.value === "txt") return undefined;
  const sizes = currentResults.value.map(({ job }) => sizeBefore(job) ?? Number.NaN);
  const sum = sizes.reduce((total, size) => total + size, 0);
  return Number.isNaN(sum) ? undefined : sum;
});

/** Whether all files of a result are saved. */
export function isSaved({ state }: Result): boolean {
  return state.outputs.every((output) => output.isSaved.value);
}

/** Whether the file of a result is the one that a receipt of it names. Of an archive, the parts are saved. */
export function hasReceipt({ state: { result } }: Result): boolean {
  return !result.file_name.endsWith(".zip");
}

/** Whether the present options would make the same of the same files again. */
export function isCurrent({ task, files, settings }: Job): boolean {
  const now = isJoint(task) ? filesFor(task) : files;
  return isSame(settings, settingsOf(task, now));
}

/**
 * Returns the size that an output was not to exceed but does, in bytes: that of the picture that it was made of, or that of the
 * files of a split by size, if it is a single page that is larger.
 */
export function exceededSize({ job, state }: Result, output: Output): number | undefined {
  const { method, params } = job.settings;
  const [kind, size] =
    method === "splitPdf"
      ? ["pdf", params.max_bytes]
      : ["image", state.outputs.length === 1 ? sizeBefore(job) : undefined];
  return outputKind(output) === kind && output.file.value.size > (size ?? Infinity) ? size : undefined;
}

/** Returns the size of the file that a job shrinks or makes another picture, in bytes. Undefined for other jobs, whose results do not compare. */
export function sizeBefore({ task, files: [file] }: Job): number | undefined {
  if (file === undefined) return undefined;
  const compares = task === "shrink" || (task === "convert" && fileKind(file) === "image");
  return compares ? file.file.size : undefined;
}

/** Whether a result is a file that can be compared with the one that it was made of. */
export function canCompare({ job, state }: Result): boolean {
  const [output, ...others] = state.outputs;
  if (output === undefined || others.length > 0 || sizeBefore(job) === undefined) return false;
  return job.task === "shrink" || outputKind(output) === "image";
}

/** Returns the name of the file that a job of several files has failed with, if the error says which. */
export function failedName({ settings: { params }, state: { value: state } }: Job): string | undefined {
  if (state.kind !== "failed" || !(state.error instanceof ServiceError)) return undefined;
  const { file_index: index } = state.error.details;
  const file = index === undefined ? undefined : [params.file].flat()[index];
  return file instanceof File ? file.name : undefined;
}

/** Frees the result of a job, or the one that it would have replaced. */
export function release(job: Job): void {
  for (const { state } of resultOf(job)) {
    client.release(state.result);
    state.outputs.forEach(forgetPreview);
  }
}

/** Whether a job runs, or has its result with the present options. */
function hasAnswer(job: Job): boolean {
  return isBusy(job) || resultOf(job).some((result) => isCurrent(result.job));
}

/** Returns the result of a job, or the one that it would have replaced if it has failed. There is at most one. */
export function resultOf(job: Job): readonly Result[] {
  const state = job.state.value;
  if (state.kind === "done") return [{ job, state }];
  const replaced = state.kind === "failed" ? replacedJob(job) : undefined;
  return replaced === undefined ? [] : resultOf(replaced);
}
