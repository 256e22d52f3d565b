import type { CallOptions, Client, ServiceResult } from "../../src/index.ts";
import { client } from "./client.ts";
import {
  cleanFields,
  convertFields,
  pageSize,
  protectFields,
  shrinkFields,
  split,
  splitFields,
} from "./options.ts";
import { organizedPages, sequenceOf } from "./organize.ts";
import { normalizePages } from "./page-selection.ts";
import { fileKind } from "./task.ts";
import type { Task } from "./task-list.ts";
import { passwordField, type TrayFile } from "./tray.ts";

/** The methods of the client that make results. */
type Method = "protectPdf" | "unlockPdf" | "splitPdf" | "mergePdf" | "compressPdf" | "cleanPdf" | "convert";

type Params<One extends Method> = Parameters<Client[One]>[0];

/** The call of a job with the options that the user had chosen for it: a value that does not change with the page. */
export type Settings<One extends Method = Method> = {
  readonly [Each in One]: {
    readonly method: Each;
    readonly params: Params<Each>;
    /** The name of the output, and what it begins with, if they are not those of the client. */
    readonly name?: string;
    readonly prefix?: string;
  };
}[One];

/** Makes the call of a job. */
export function makeCall<One extends Method>(
  { method, params }: Settings<One>,
  options: CallOptions,
): Promise<ServiceResult> {
  const methods: {
    readonly [Each in Method]: (params: Params<Each>, options: CallOptions) => Promise<ServiceResult>;
  } = client;
  return methods[method](params, options);
}

/** Returns the settings of a task with the options of this moment. Only a joint task takes several files. */
export function settingsOf(task: Task, files: readonly TrayFile[]): Settings {
  const [only] = files;
  if (task === "merge") return mergeSettings(files);
  if (task === "organize") return organizeSettings();
  if (only === undefined) throw new RangeError("A task needs a file");
  const { file } = only;
  const password = only.password.value;
  switch (task) {
    case "protect":
      return { method: "protectPdf", params: { ...protectFields(), file } };
    case "unlock":
      return { method: "unlockPdf", params: { file, password } };
    case "split": {
      const params = { ...splitFields(only), ...passwordField(password) };
      if (!("output_format" in params)) return { method: "splitPdf", params };
      return { method: "convert", params, ...(split.way.value === "together" && { prefix: "pages-" }) };
    }
    case "shrink": {
      const params = { ...shrinkFields(only), ...passwordField(password) };
      if ("output_format" in params) return { method: "convert", params, prefix: "small-" };
      return { method: "compressPdf", params };
    }
    case "clean":
      return { method: "cleanPdf", params: { ...cleanFields(only), ...passwordField(password) } };
    case "convert":
      return { method: "convert", params: { ...convertFields(), ...passwordField(password), file } };
  }
}

function mergeSettings(files: readonly TrayFile[]): Settings {
  const file = files.map((one) => one.file);
  if (files.every((one) => fileKind(one) === "image")) {
    return { method: "convert", params: { file, output_format: "pdf", page_size: pageSize.value } };
  }
  const pages = files.map(({ mergePages }) => normalizePages(mergePages.value));
  const password = files.map((one) => one.password.value);
  return { method: "mergePdf", params: { file, pages, password } };
}

function organizeSettings(): Settings {
  const { files, sequence } = sequenceOf(organizedPages.value);
  const password = files.map((one) => one.password.value);
  const params = { file: files.map(({ file }) => file), sequence, password };
  const [first] = params.file;
  const base = first?.name.replace(/\.[^.]*$/, "");
  return { method: "mergePdf", params, name: `organized-${base}.pdf` };
}

/**
 * Whether two settings make the same: the same files in the same order, with the same options. Compares values of plain objects
 * and lists. Files are the same only if they are one object.
 */
export function isSame(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (!isPlain(one) || !isPlain(other)) return false;
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => name in other && isSame(Reflect.get(one, name), Reflect.get(other, name)))
  );
}

function isPlain(value: unknown): value is object {
  return typeof value === "object" && value !== null && !(value instanceof Blob);
}
