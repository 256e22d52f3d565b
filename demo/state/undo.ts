import { batch, computed, type Signal, signal } from "@preact/signals";
import type { Message, MessageKey } from "../messages/index.ts";

/** Something that the user has done and can undo, with what the page says after the undo. */
export interface UndoStep extends Message {
  /** Brings back what was before. */
  readonly undo: () => void;
  /** Steps in a row with the same key are one: letters that are typed, a drag over pages. */
  readonly key?: unknown;
  /** The files that it is about. When a removal of all of them is final, the step has nothing to undo. */
  readonly files: readonly object[];
  /** Whether it has removed the files. */
  readonly isRemoval?: boolean;
  /** Whether no file was left. It ends the lasting removals of before. */
  readonly isOfAll?: boolean;
  /** What the page says of the removal, if not how many files it was. */
  readonly toast?: MessageKey;
  /** Whether a result that is not saved would be lost with it. Then it lasts until it is undone. */
  readonly hasUnsaved?: () => boolean;
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
export const lastRemoval = computed(() => steps.value.findLast(({ isRemoval }) => isRemoval));

/** The removals that last until they are undone. */
export const lastingRemovals = computed(() => {
  const start = 1 + steps.value.findLastIndex(({ isOfAll }) => isOfAll);
  return steps.value.slice(start).filter(({ hasUnsaved }) => hasUnsaved?.());
});

/** The files that can no longer be brought back. */
const gone = new WeakSet<object>();

/** Adds a step that the user has done. */
export function addStep(step: UndoStep): void {
  batch(() => {
    undone.value = undefined;
    const isSame = step.key !== undefined && steps.value.at(-1)?.key === step.key;
    if (!isSame) steps.value = [...steps.value, step];
    forget(steps.value.slice(0, -MOST_STEPS));
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

/**
 * Makes a removal final, and those before it that do not last. Other steps stay, but for those that are only about files that are
 * gone.
 */
export function makeFinal(removal: UndoStep): void {
  const until = steps.value.indexOf(removal);
  const removals = steps.value
    .slice(0, until + 1)
    .filter((step) => step.isRemoval && !lastingRemovals.value.includes(step));
  for (const file of removals.flatMap(({ files }) => files)) gone.add(file);
  forget(steps.value.filter(({ files }) => files.every((file) => gone.has(file))));
}

function forget(final: readonly UndoStep[]): void {
  if (final.length === 0) return;
  steps.value = steps.value.filter((step) => !final.includes(step));
  for (const { discard } of final) discard?.();
}

/** Takes all steps away, because they are about files that are no longer there. Returns what brings them back, or makes them final. */
export function takeSteps(): { hasUnsaved(): boolean; putBack(): void; discard(): void } {
  const taken = steps.value;
  const lasting = lastingRemovals.value;
  steps.value = [];
  return {
    hasUnsaved: () => lasting.some((step) => step.hasUnsaved?.()),
    putBack: () => {
      steps.value = [...taken, ...steps.value];
    },
    discard: () => {
      for (const { discard } of taken) discard?.();
    },
  };
}

/** Makes all steps final. */
export function forgetSteps(): void {
  forget(steps.value);
}

/** Returns what gives signals the values of this moment back. */
export function snapshot(signals: readonly Signal[]): () => void {
  const values = signals.map((one) => one.peek());
  return () =>
    batch(() => {
      for (const [index, one] of signals.entries()) one.value = values[index];
    });
}
