import type { Permission } from "../src/index.ts";
import { element } from "./elements.ts";

/** A permission that includes another one (ISO 32000-2, Table 22). */
interface Inclusion {
  readonly whole: Permission;
  readonly part: Permission;
  /**
   * Whether clearing the box of the whole also clears the box of the part. The user can tick the part again.
   */
  readonly endTogether: boolean;
}

const INCLUSIONS: readonly Inclusion[] = [
  { whole: "print", part: "print_low", endTogether: true },
  { whole: "annotate", part: "fill_forms", endTogether: false },
];

/** Keeps the permission boxes consistent: the box of a permission is ticked when a ticked box includes it. */
export function keepPermissionsTrue(form: HTMLFormElement): void {
  const box = (permission: Permission) =>
    element(form, `input[name="permissions"][value="${permission}"]`, HTMLInputElement);
  for (const { whole, part, endTogether } of INCLUSIONS) {
    const [wholeBox, partBox] = [box(whole), box(part)];
    const followWhole = () => {
      if (wholeBox.checked) partBox.checked = true;
      else if (endTogether) partBox.checked = false;
    };
    wholeBox.addEventListener("change", followWhole);
    partBox.addEventListener("change", () => {
      if (!partBox.checked) wholeBox.checked = false;
    });
    // After a reload, the browser restores the boxes without a `change` event.
    if (wholeBox.checked) partBox.checked = true;
  }
}
