import type { Signal } from "@preact/signals";

/** One of several, as buttons side by side. The arrow keys choose, as in every group of radio buttons. */
export function Choice<Value extends string>(props: {
  readonly name: string;
  readonly label: string;
  readonly value: Value | undefined;
  readonly options: readonly (readonly [Value, string])[];
  readonly onChoose: (value: Value) => void;
  readonly isLabelHidden?: boolean;
}) {
  return (
    <fieldset class="choice">
      <legend class={props.isLabelHidden ? "visually-hidden" : undefined}>{props.label}</legend>
      <div class="choice-options">
        {props.options.map(([value, text]) => (
          <label key={value}>
            <input
              type="radio"
              name={props.name}
              value={value}
              checked={props.value === value}
              onChange={() => props.onChoose(value)}
            />
            <span>{text}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** Returns a handler that sets a signal. */
export function into<Value>(target: Signal<Value>): (value: Value) => void {
  return (value) => {
    target.value = value;
  };
}
