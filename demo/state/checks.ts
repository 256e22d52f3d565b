import { computed, signal } from "@preact/signals";
import { PERMISSIONS } from "../../src/index.ts";
import type { MessageKey, MessageValues } from "../messages/index.ts";
import { convert, numberIn, protect, split, wholeNumberIn } from "./options.ts";
import { checkPages, normalizePages } from "./page-selection.ts";
import { allowedPermissions } from "./permissions.ts";
import { shrink } from "./shrink.ts";
import { selectionOf } from "./split-selection.ts";
import { needsPassword, task, taskFiles } from "./task.ts";
import type { TrayFile } from "./tray.ts";

/** The fields of the page that can have a problem. */
export type FieldId =
  | "protect-password"
  | "protect-repeated"
  | "protect-owner"
  | `split-pages-${number}`
  | `merge-pages-${number}`
  | "split-every"
  | "split-size"
  | "shrink-size"
  | "convert-size"
  | "convert-side"
  | "convert-dpi"
  | `password-${number}`;

/** A problem of a field, as a message for the user. */
export interface FieldProblem {
  readonly field: FieldId;
  readonly message: MessageKey;
  readonly values?: MessageValues;
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
  ...(task.value === "shrink" && shrink.way.value === "size"
    ? positive("shrink-size", shrink.size.value)
    : []),
  ...(task.value === "convert" ? convertProblems() : []),
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
    values: { name: file.file.name },
  }));
}

function protectProblems(): readonly FieldProblem[] {
  const { password, repeated, isShown, ownerPassword, restriction, allowed } = protect;
  const isRestricted = allowedPermissions(restriction.value, allowed.value).length < PERMISSIONS.length;
  if (password.value === "" && !(isRestricted && ownerPassword.value !== "")) {
    return [{ field: "protect-password", message: "problem.choosePassword" }];
  }
  if (new TextEncoder().encode(password.value).length > 127) {
    return [{ field: "protect-password", message: "problem.longPassword" }];
  }
  if (password.value === ownerPassword.value) {
    return [{ field: "protect-password", message: "problem.samePasswords" }];
  }
  if (!isShown.value && repeated.value !== password.value) {
    return [{ field: "protect-repeated", message: "problem.repeat" }];
  }
  return [];
}

function splitProblems(): readonly FieldProblem[] {
  switch (split.way.value) {
    case "together":
    case "pages":
      return taskFiles.value.flatMap((file) =>
        pagesProblem(`split-pages-${file.id}`, file, selectionOf(file)),
      );
    case "every":
      return wholeNumber("split-every", split.every.value, 1);
    case "size":
      return positive("split-size", split.size.value);
    case "outline":
      return [];
  }
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

function convertProblems(): readonly FieldProblem[] {
  const { size, side, dpi } = convert;
  return [
    ...(size.value === "" ? [] : positive("convert-size", size.value)),
    ...(side.value === "" ? [] : wholeNumber("convert-side", side.value, 1)),
    ...(dpi.value === "" ? [] : wholeNumber("convert-dpi", dpi.value, 1, 2400)),
  ];
}

function positive(field: FieldId, text: string): readonly FieldProblem[] {
  return numberIn(text) > 0 ? [] : [{ field, message: "problem.number" }];
}

function wholeNumber(field: FieldId, text: string, least: number, most?: number): readonly FieldProblem[] {
  const number = wholeNumberIn(text);
  if (Number.isSafeInteger(number) && number >= least && number <= (most ?? number)) return [];
  if (most === undefined) return [{ field, message: "problem.wholeNumber" }];
  return [{ field, message: "problem.between", values: { least, most } }];
}
