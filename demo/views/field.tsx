import type { ComponentChildren } from "preact";
import { t } from "../messages/index.ts";
import { type FieldId, problemAt, showProblemsAt } from "../state/checks.ts";

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
export interface FieldProps {
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
