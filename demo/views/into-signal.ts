import type { Signal } from "@preact/signals";

/** Returns a handler that sets a signal. */
export function into<Value>(target: Signal<Value>): (value: Value) => void {
  return (value) => {
    target.value = value;
  };
}
