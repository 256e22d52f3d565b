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
