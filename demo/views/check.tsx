import type { ComponentChildren } from "preact";

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
