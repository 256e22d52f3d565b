import { computed, signal } from "@preact/signals";
import { PERMISSIONS } from "../../src/index.ts";
import type { Message } from "../messages/index.ts";
import {
  NUMBER_OPTIONS,
  type NumberId,
  type NumberOption,
  numberOf,
  ownerPassword,
  protect,
  split,
} from "./options.ts";
import { checkPages, normalizePages } from "./page-selection.ts";
import { allowedPermissions } from "./permissions.ts";
import { selectionOf, takesSelection } from "./split-selection.ts";
import { needsPassword, task, taskFiles } from "./task.ts";
import type { Task } from "./task-list.ts";
import type { TrayFile } from "./tray.ts";

/** The fields of the page that can have a problem. */
export type FieldId =
  | "protect-password"
  | "protect-repeated"
  | "protect-owner"
  | `split-pages-${number}`
  | `merge-pages-${number}`
  | NumberId
  | `password-${number}`;

/** A problem of a field, as a message for the user. */
export interface FieldProblem extends Message {
  readonly field: FieldId;
  /** The file that the page must show for the field. */
  readonly file?: TrayFile;
}

/** The fields that show their problems: the user has left them, or has tried to start. */
const shownFields = signal<ReadonlySet<FieldId>>(new Set());

/** The problems of the options of the task, in the order of the page. */
export const problems = computed<readonly FieldProblem[]>(() => [
  ...passwordProblems(),
  ...(task.value === "protect" ? protectProblems() : []),
  ...(task.value === "split" ? splitProblems() : []),
  ...(task.value === "merge" ? mergeProblems() : []),
  ...(task.value === undefined ? [] : numberProblems(task.value)),
]);

/** Returns the problem to show at a field, if any. */
export function problemAt(field: FieldId): FieldProblem | undefined {
  if (!shownFields.value.has(field)) return undefined;
  return problems.value.find((problem) => problem.field === field);
}

/** Shows the problems of a field from now on. */
export function showProblemsAt(field: FieldId): void {
  if (!shownFields.value.has(field)) shownFields.value = new Set([...shownFields.value, field]);
}

/** Shows the problems of no field, until the user leaves it or tries to start. */
export function forgetProblems(): void {
  shownFields.value = new Set();
}

function passwordProblems(): readonly FieldProblem[] {
  return taskFiles.value.filter(needsPassword).map((file) => ({
    field: `password-${file.id}`,
    message: file.problem.value?.code === "wrong_password" ? "problem.wrongPassword" : "problem.password",
    file,
  }));
}

function protectProblems(): readonly FieldProblem[] {
  const { password, repeated, isShown, restriction, allowed } = protect;
  const isRestricted = allowedPermissions(restriction.value, allowed.value).length < PERMISSIONS.length;
  if (password.value === "" && !(isRestricted && ownerPassword() !== "")) {
    return [{ field: "protect-password", message: "problem.choosePassword" }];
  }
  if (new TextEncoder().encode(password.value).length > 127) {
    return [{ field: "protect-password", message: "problem.longPassword" }];
  }
  if (password.value === ownerPassword()) {
    return [{ field: "protect-password", message: "problem.samePasswords" }];
  }
  if (!isShown.value && repeated.value !== password.value) {
    return [{ field: "protect-repeated", message: "problem.repeat" }];
  }
  return [];
}

function splitProblems(): readonly FieldProblem[] {
  if (!takesSelection(split.way.value)) return [];
  return taskFiles.value.flatMap((file) => pagesProblem(`split-pages-${file.id}`, file, selectionOf(file)));
}

function mergeProblems(): readonly FieldProblem[] {
  return taskFiles.value.flatMap((file) => {
    const pages = file.mergePages.value;
    return normalizePages(pages) === "" ? [] : pagesProblem(`merge-pages-${file.id}`, file, pages);
  });
}

function pagesProblem(field: FieldId, file: TrayFile, pages: string): readonly FieldProblem[] {
  const problem = checkPages(pages, file.inspection.value?.pages);
  return problem ? [{ field, file, ...problem }] : [];
}

/** Returns the problems of the fields for numbers that a task shows. */
function numberProblems(task: Task): readonly FieldProblem[] {
  const ids = Object.keys(NUMBER_OPTIONS).filter((id): id is NumberId => id.startsWith(`${task}-`));
  return ids.flatMap((field): readonly FieldProblem[] => {
    const number = numberOf(field);
    const { isWhole, most }: NumberOption = NUMBER_OPTIONS[field];
    if (number === undefined || (number > 0 && number <= (most ?? Number.MAX_SAFE_INTEGER))) return [];
    if (!isWhole) return [{ field, message: "problem.number" }];
    if (most === undefined) return [{ field, message: "problem.wholeNumber" }];
    return [{ field, message: "problem.between", values: { least: 1, most } }];
  });
}
