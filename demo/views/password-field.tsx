import { type Signal, useSignal } from "@preact/signals";
import { t } from "../messages/index.ts";
import { Field, type FieldProps } from "./field.tsx";

/** A field for a password, with a button that shows the password. */
export function PasswordField({
  isShown: given,
  subject,
  input,
  children,
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
  return (
    <Field {...field} input={{ ...input, type: isShown.value ? "text" : "password" }}>
      <button
        type="button"
        class="button"
        aria-label={subject && `${text}: ${subject}`}
        onClick={() => {
          isShown.value = !isShown.value;
        }}
      >
        {text}
      </button>
      {children}
    </Field>
  );
}
