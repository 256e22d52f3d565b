import { type Signal, useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { t } from "../messages/index.ts";
import { type FieldId, problemAt, showProblemsAt } from "../state/checks.ts";
import { NUMBER_OPTIONS, type NumberId, type NumberOption } from "../state/options.ts";
import { Button } from "./button.tsx";
import { into } from "./into-signal.ts";

/** The attributes of an input that differ between fields. */
interface InputKind {
  readonly type?: "text" | "password";
  readonly inputMode?: "numeric" | "decimal";
  readonly autocomplete?: "new-password";
  readonly placeholder?: string;
  readonly enterKeyHint?: "go";
  readonly onKeyDown?: (event: KeyboardEvent) => void;
}

/** The properties of a field. */
interface FieldProps {
  readonly id: FieldId;
  readonly label: ComponentChildren;
  readonly value: string;
  readonly onType: (value: string) => void;
  readonly hint?: string | undefined;
  readonly input?: InputKind;
  /** What happens when the focus leaves the field, instead of showing its problem. */
  readonly onLeave?: () => void;
  /** Shown beside the input. */
  readonly children?: ComponentChildren;
}

/** A text field with its label, its hint and its problem. */
export function Field(props: FieldProps) {
  const { id, value, hint, input } = props;
  const problem = problemAt(id);
  return (
    <div class="field">
      <label for={id}>{props.label}</label>
      <div class="field-row">
        <input
          autocomplete="off"
          {...input}
          // A password that is shown is a text. Preact ties the roles of an input to one type, but this one has no role.
          type={(input?.type ?? "text") as "text"}
          spellcheck={false}
          id={id}
          name={id}
          value={value}
          aria-invalid={problem ? "true" : undefined}
          aria-describedby={`${id}-problem${hint ? ` ${id}-hint` : ""}`}
          onInput={({ currentTarget }) => props.onType(currentTarget.value)}
          onBlur={() => {
            if (props.onLeave) props.onLeave();
            else if (value !== "") showProblemsAt(id);
          }}
        />
        {props.children}
      </div>
      <p class="field-problem" id={`${id}-problem`}>
        {problem && t(problem.message, problem.values)}
      </p>
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

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

/** A box to tick, with its label and perhaps a hint below. */
export function Check(props: {
  readonly label: string;
  readonly isChecked: boolean;
  readonly onCheck: (isChecked: boolean) => void;
  /** The id of the hint, and its text. */
  readonly hint?: readonly [string, string];
  /** Shown behind the label. */
  readonly children?: ComponentChildren;
}) {
  const { label, isChecked, onCheck, hint, children } = props;
  return (
    <>
      <label>
        <input
          type="checkbox"
          checked={isChecked}
          aria-describedby={hint?.[0]}
          onChange={({ currentTarget }) => onCheck(currentTarget.checked)}
        />
        {label}
        {children}
      </label>
      {hint && (
        <p class="hint" id={hint[0]}>
          {hint[1]}
        </p>
      )}
    </>
  );
}

/** One of several. The arrow keys choose, as in every group of radio buttons. */
export function Choice<Value extends string>(props: {
  readonly name: string;
  readonly label: string;
  readonly value: Value | undefined;
  /** The value of each, and its name. With a line that says what it does, they are one below the other, not side by side. */
  readonly options: readonly (readonly [Value, string, string?])[];
  readonly onChoose: (value: Value) => void;
  readonly isLabelHidden?: boolean;
}) {
  const { name, options } = props;
  const hasLines = options[0]?.[2] !== undefined;
  const choices = options.map(([value, text, line]) => (
    <label key={value}>
      <input
        type="radio"
        name={name}
        value={value}
        checked={props.value === value}
        aria-label={line && text}
        aria-describedby={line && `${name}-${value}`}
        onChange={() => props.onChoose(value)}
      />
      {line ? <strong>{text}</strong> : <span>{text}</span>}
      {line && <span id={`${name}-${value}`}>{line}</span>}
    </label>
  ));
  return (
    <fieldset class={hasLines ? "ways" : "choice"}>
      <legend class={hasLines || props.isLabelHidden ? "visually-hidden" : undefined}>{props.label}</legend>
      {hasLines ? choices : <div class="choice-options">{choices}</div>}
    </fieldset>
  );
}
