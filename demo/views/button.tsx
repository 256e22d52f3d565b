import type { ComponentProps } from "preact";
import { Icon } from "./icon.tsx";
import type { IconName } from "./icon-paths.ts";

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
