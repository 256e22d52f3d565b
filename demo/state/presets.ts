import { batch, type Signal } from "@preact/signals";
import { PERMISSIONS } from "../../src/index.ts";
import { t } from "../messages/index.ts";
import { formatName, isImageFormat, TARGET_FORMATS } from "./formats.ts";
import { convert, pageSize, protect, SIZE_UNITS, shrink, split } from "./options.ts";
import { chosenFormat } from "./task.ts";
import { TASKS, type Task } from "./task-list.ts";

/** The options of a task, by their names. */
type Values = Readonly<Record<string, unknown>>;

/** Options that stay for the next visit. */
export type Preset = Readonly<Partial<Record<Task, Values>>>;

/** An option, and whether a value can be its own. */
type Option = readonly [Signal, (value: unknown) => boolean];

const oneOf = (list: readonly unknown[]) => (value: unknown) => list.includes(value);
const someOf = (list: readonly unknown[]) => (value: unknown) =>
  Array.isArray(value) && value.every((one) => list.includes(one));
const isText = (value: unknown) => typeof value === "string" && /^[\d., ]{0,12}$/.test(value);
const isQuality = (value: unknown) =>
  value === undefined || (typeof value === "number" && value >= 0 && value <= 100);

/**
 * The options that stay. No password and no page of a file is among them, and nothing that leaves more in a file than the default.
 */
const OPTIONS: Readonly<Partial<Record<Task, Readonly<Record<string, Option>>>>> = {
  protect: {
    restriction: [protect.restriction, oneOf(["none", "no-print", "no-changes", "custom"])],
    allowed: [protect.allowed, someOf(PERMISSIONS)],
  },
  split: {
    way: [split.way, oneOf(["together", "pages", "every", "outline", "size"])],
    every: [split.every, isText],
    size: [split.size, isText],
  },
  merge: { pageSize: [pageSize, oneOf(["fit", "a4", "letter"])] },
  shrink: {
    way: [shrink.way, oneOf(["mail", "web", "smallest", "size"])],
    size: [shrink.size, isText],
  },
  convert: {
    format: [chosenFormat, oneOf([undefined, ...TARGET_FORMATS])],
    quality: [convert.quality, isQuality],
    size: [convert.size, isText],
    unit: [convert.unit, oneOf(Object.keys(SIZE_UNITS))],
    side: [convert.side, isText],
    dpi: [convert.dpi, isText],
  },
};

/** Returns the options of tasks as they are now. */
export function presetOf(tasks: readonly Task[] = TASKS): Preset {
  const valuesOf = (task: Task) =>
    Object.entries(OPTIONS[task] ?? {}).map(([name, [option]]) => [name, option.value] as const);
  return Object.fromEntries(tasks.map((task) => [task, Object.fromEntries(valuesOf(task))]));
}

/** Sets the options that a preset has. A value that an option cannot have is left out: the preset may be of another version. */
export function applyPreset(preset: Preset): void {
  batch(() => {
    for (const [task, values] of Object.entries(preset)) {
      const options = TASKS.find((one) => one === task) && OPTIONS[task as Task];
      for (const [name, [option, isValid]] of Object.entries(options ?? {})) {
        const value = values?.[name];
        if (isValid(value)) option.value = value;
      }
    }
  });
}

/** Returns what a preset does: `JPG under 1 MB`, `Word`. */
export function presetName({ convert, shrink }: Preset): string {
  if (shrink?.way === "size") return t("preset.under", { what: t("task.shrink"), size: `${shrink.size} MB` });
  const way = (["mail", "web", "smallest"] as const).find((one) => one === shrink?.way);
  if (way !== undefined) return `${t("task.shrink")}: ${t(`shrink.${way}`)}`;
  const format = TARGET_FORMATS.find((one) => one === convert?.format) ?? "jpg";
  const what = formatName(format);
  // A document or a text has no size to stay under.
  if (!convert?.size || !isImageFormat(format)) return what;
  return t("preset.under", { what, size: `${convert.size} ${convert.unit}` });
}
