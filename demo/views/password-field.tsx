import { type Signal, useSignal } from "@preact/signals";
import { t } from "../messages/index.ts";
import { Button } from "./button.tsx";
import { Field, type FieldProps } from "./field.tsx";
import { into } from "./into-signal.ts";

/** A field for a password, with a button that shows the password. */
export function PasswordField({
  isShown: given,
  subject,
  input,
  ...field
}: FieldProps & {
  /** Whether the password is shown, if others use it, too. */
  readonly isShown?: Signal<boolean>;
  /** Tells the button apart from others, for screen readers. */
  readonly subject?: string;
}) {
  const own = useSignal(false);
  const isShown = given ?? own;
  const text = t(isShown.value ? "password.hide" : "password.show");
  const label = subject && `${text}: ${subject}`;
  return (
    <Field {...field} input={{ ...input, type: isShown.value ? "text" : "password" }}>
      <Button class="button" text={text} label={label} onClick={() => into(isShown)(!isShown.value)} />
    </Field>
  );
}
