import { batch, type Signal } from "@preact/signals";

/** Returns what gives signals the values of this moment back. */
export function snapshot(signals: readonly Signal[]): () => void {
  const values = signals.map((one) => one.peek());
  return () =>
    batch(() => {
      for (const [index, one] of signals.entries()) one.value = values[index];
    });
}
