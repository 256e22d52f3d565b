import { batch, computed, signal } from "@preact/signals";
import type { MessageKey, MessageValues } from "../messages/index.ts";

/** Something that the user has done and can undo. */
export interface UndoStep {
  /** Brings back what was before. */
  readonly undo: () => void;
  /** What the page says after the undo. */
  readonly message: MessageKey;
  readonly values?: MessageValues;
  /** Steps in a row with the same key are one: letters that are typed, a drag over pages. */
  readonly key?: unknown;
  /** How many files were removed. Undefined for other steps. */
  readonly removed?: number;
  /** Frees what only the undo needs. It is called when the step can no longer be undone. */
  readonly discard?: () => void;
}

/** The most steps that are kept. */
const MOST_STEPS = 200;

/** What can be undone, the last step at the end. */
const steps = signal<readonly UndoStep[]>([]);

/** The last step that was undone. Undefined after a new step. */
export const undone = signal<UndoStep | undefined>(undefined);

/** The last removal of files that can be undone. */
export const lastRemoval = computed(() => steps.value.findLast(({ removed }) => removed !== undefined));

/** Adds a step that the user has done. */
export function addStep(step: UndoStep): void {
  batch(() => {
    undone.value = undefined;
    const isSame = step.key !== undefined && steps.value.at(-1)?.key === step.key;
    if (!isSame) steps.value = [...steps.value, step];
    const oldest = steps.value.at(-1 - MOST_STEPS);
    if (oldest !== undefined) forgetUpTo(oldest);
  });
}

/** Undoes the last step, or another one. Returns whether there was one. */
export function undo(step = steps.value.at(-1)): boolean {
  if (step === undefined || !steps.value.includes(step)) return false;
  batch(() => {
    steps.value = steps.value.filter((one) => one !== step);
    step.undo();
    undone.value = step;
  });
  return true;
}

/** Makes a step final, and all before it, because they may need what it has removed. */
export function forgetUpTo(step: UndoStep): void {
  const count = steps.value.indexOf(step) + 1;
  const final = steps.value.slice(0, count);
  steps.value = steps.value.slice(count);
  for (const { discard } of final) discard?.();
}
