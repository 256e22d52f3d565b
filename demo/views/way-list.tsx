/** One of several, one below the other, each with a line that says what it does. The arrow keys choose. */
export function WayList<Value extends string>(props: {
  readonly name: string;
  readonly label: string;
  readonly value: Value | undefined;
  /** The value of each, its name and its line. */
  readonly options: readonly (readonly [Value, string, string])[];
  readonly onChoose: (value: Value) => void;
}) {
  return (
    <fieldset class="ways">
      <legend class="visually-hidden">{props.label}</legend>
      {props.options.map(([value, text, line]) => (
        <label key={value}>
          <input
            type="radio"
            name={props.name}
            value={value}
            checked={props.value === value}
            aria-label={text}
            aria-describedby={`${props.name}-${value}`}
            onChange={() => props.onChoose(value)}
          />
          <strong>{text}</strong>
          <span id={`${props.name}-${value}`}>{line}</span>
        </label>
      ))}
    </fieldset>
  );
}
