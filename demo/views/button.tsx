import type { Signal } from "@preact/signals";
import type { ComponentProps } from "preact";
import { ICON_PATHS, type IconName } from "./icon-paths.ts";

/** A button with an icon, a text or both. A `label` says for screen readers what the eye sees from the place of the button. */
export function Button(
  props: Omit<ComponentProps<"button">, "icon" | "label"> & {
    readonly icon?: IconName | undefined;
    readonly text?: string;
    readonly label?: string | undefined;
  },
) {
  const { icon, text, label, ...attributes } = props;
  return (
    <button type="button" aria-label={label} {...attributes}>
      {icon && <Icon name={icon} />}
      {text}
    </button>
  );
}

/** Returns a handler that sets a signal. */
export function into<Value>(target: Signal<Value>): (value: Value) => void {
  return (value) => {
    target.value = value;
  };
}

/** A line drawing. What it means is said beside it, or by the label of its button. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon-drawing" viewBox="0 0 24 24" aria-hidden="true">
      <path d={ICON_PATHS[name]} />
    </svg>
  );
}
