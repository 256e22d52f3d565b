import { computed } from "@preact/signals";
import type { Message } from "../messages/index.ts";
import { problems } from "./checks.ts";
import { isImageFormat } from "./formats.ts";
import { chosenParts, mergedPages } from "./merge-parts.ts";
import { organizedPages } from "./organize.ts";
import { chosenGroups, splitChoice } from "./page-choice.ts";
import { checkPages } from "./page-selection.ts";
import { currentResults, pendingFiles } from "./results.ts";
import { isWorkShown } from "./shown-result.ts";
import { selectionOf } from "./split-selection.ts";
import { fileKind, targetFormat, task, taskFiles } from "./task.ts";
import type { TrayFile } from "./tray.ts";

/** The files that a task will make. A count that is not known yet is NaN. */
export interface Outcome {
  readonly kind: "pdfs" | "pictures" | "files";
  readonly count: number;
  /** The number of pages of all of them. */
  readonly pages: number;
}

/** What the task of the page will make with the present options. */
export const outcome = computed<Outcome>(() => {
  const files = taskFiles.value;
  const counts = files.map(pageCount);
  const pages = sumOf(counts);
  const made = (kind: Outcome["kind"], count = files.length) => ({ kind, count, pages: Number.NaN });
  switch (task.value) {
    case "organize":
      return { kind: "pdfs", count: 1, pages: organizedPages.value.length };
    case "merge":
      return { kind: "pdfs", count: 1, pages: mergedPages(chosenParts.value) ?? Number.NaN };
    case "split": {
      const groups = files.map(splitInto);
      const sizes = groups.flat().map(({ length }) => length);
      return { kind: "pdfs", count: groups.includes(NONE) ? Number.NaN : sizes.length, pages: sumOf(sizes) };
    }
    case "shrink":
      return made(files.every(isPdf) ? "pdfs" : files.some(isPdf) ? "files" : "pictures");
    case "convert":
      if (isImageFormat(targetFormat.value)) return made("pictures", pages);
      return made(targetFormat.value === "pdf" ? "pdfs" : "files");
    default:
      return { kind: "pdfs", count: files.length, pages };
  }
});

const NONE: readonly (readonly number[])[] = [];

/** Returns the pages of each file that a split makes of a document. None while that is not known. */
function splitInto(file: TrayFile): readonly (readonly number[])[] {
  const pages = pageCount(file);
  if (Number.isNaN(pages) || checkPages(selectionOf(file), pages)) return NONE;
  return chosenGroups(splitChoice(file), pages);
}

/** Returns how many pages or pictures a file has. */
function pageCount(file: TrayFile): number {
  const { pages = Number.NaN, images = 1 } = file.inspection.value ?? {};
  return fileKind(file) === "image" ? images : pages;
}

function isPdf(file: TrayFile): boolean {
  return fileKind(file) === "pdf";
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0);
}

/** What the button at the bottom does now. A blocked one says why. */
export type Action =
  | { readonly kind: "ready" | "running" | "done" }
  | { readonly kind: "blocked"; readonly reason: Reason };

/** Why nothing can be started, as a message for the user. */
interface Reason extends Message {
  /** The file that it is about, if there are others. */
  readonly name?: string | undefined;
}

/** What the button does. Undefined without a task. */
export const action = computed<Action | undefined>(() => {
  if (isWorkShown.value) return { kind: "running" };
  if (task.value === undefined) return undefined;
  const isPending = pendingFiles.value.length > 0;
  if (!isPending && currentResults.value.length > 0) return { kind: "done" };
  const [problem] = problems.value;
  if (problem !== undefined) {
    const name = taskFiles.value.length > 1 ? problem.file?.file.name : undefined;
    return { kind: "blocked", reason: { message: problem.message, values: problem.values, name } };
  }
  return isPending ? { kind: "ready" } : { kind: "blocked", reason: { message: "action.noPages" } };
});
