import { ICON_PATHS, type IconName } from "./icon-paths.ts";

/** A line drawing. What it means is said beside it, or by the label of its button. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon-drawing" viewBox="0 0 24 24" aria-hidden="true">
      <path d={ICON_PATHS[name]} />
    </svg>
  );
}
