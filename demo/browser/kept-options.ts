import { effect, signal } from "@preact/signals";
import { applyPreset, type Preset, presetOf } from "../state/presets.ts";
import { targetFormat } from "../state/task.ts";
import type { Task } from "../state/task-list.ts";

const LAST = "stayput-options";

/** Where the presets of the start page are kept. The start page looks whether there are any (views/empty.tsx). */
const PRESETS = "stayput-presets";

/** The presets of the start page, each of one task. */
export const presets = signal(presetsIn(read(PRESETS)));

applyPreset(Object(read(LAST)));
effect(() => localStorage.setItem(LAST, JSON.stringify(presetOf())));

/** Whether the present options of a task are on the start page. */
export function isKept(task: Task): boolean {
  return presets.value.some(isNow(task));
}

/** Keeps the present options of a task on the start page, or takes them away. */
export function togglePreset(task: Task): void {
  const others = presets.value.filter((one) => !isNow(task)(one));
  setPresets(isKept(task) ? others : [...others, presetNow(task)]);
}

/** Returns the present options of a task. The format is the one that the page proposes, if the user has chosen none. */
function presetNow(task: Task): Preset {
  const preset = presetOf([task]);
  return preset.convert ? { convert: { ...preset.convert, format: targetFormat.value } } : preset;
}

function isNow(task: Task): (preset: Preset) => boolean {
  const now = JSON.stringify(presetNow(task));
  return (preset) => JSON.stringify(preset) === now;
}

/** Replaces the presets of the start page. */
export function setPresets(all: readonly Preset[]): void {
  presets.value = [...all];
  localStorage.setItem(PRESETS, JSON.stringify(all));
}

/** Returns the presets of a list. Another version of the app may have kept something else. */
function presetsIn(kept: unknown): readonly Preset[] {
  return Array.isArray(kept) ? kept.filter((one) => typeof one === "object" && one !== null) : [];
}

/** Returns what was kept. Undefined if it is not there or cannot be read. */
function read(key: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "null");
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return undefined;
  }
}
