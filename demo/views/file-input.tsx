import type { ComponentChildren } from "preact";
import { ACCEPTED_TYPES } from "../state/formats.ts";
import { takeFiles } from "../state/inspect.ts";

/** A button that opens the file dialog of the browser. */
export function FileInput(props: {
  readonly id: string;
  readonly class: string;
  readonly children: ComponentChildren;
}) {
  return (
    <label class={`button ${props.class}`}>
      <input
        id={props.id}
        class="visually-hidden"
        type="file"
        multiple
        accept={ACCEPTED_TYPES}
        onChange={({ currentTarget }) => {
          takeFiles(currentTarget.files ?? []);
          // Otherwise choosing the same file again causes no `change` event.
          currentTarget.value = "";
        }}
      />
      {props.children}
    </label>
  );
}
