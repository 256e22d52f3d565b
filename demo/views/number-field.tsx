import type { ComponentChildren } from "preact";
import { t } from "../messages/index.ts";
import { NUMBER_OPTIONS, type NumberId, type NumberOption } from "../state/options.ts";
import { Field } from "./field.tsx";
import { into } from "./into-signal.ts";

/** A field for a number, if the present choice has it. */
export function NumberField({
  id,
  children,
}: {
  readonly id: NumberId;
  readonly children?: ComponentChildren;
}) {
  const { text, label, hint, isShown, isWhole }: NumberOption = NUMBER_OPTIONS[id];
  if (!isShown()) return null;
  return (
    <Field
      id={id}
      label={t(label)}
      hint={hint && t(hint)}
      value={text.value}
      onType={into(text)}
      input={{ inputMode: isWhole ? "numeric" : "decimal" }}
    >
      {children}
    </Field>
  );
}
