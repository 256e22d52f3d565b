import type { Permission } from "../src/index.ts";
import { element } from "./elements.ts";

/** A permission that includes another one (ISO 32000-2, Table 22). */
interface Inclusion {
  readonly whole: Permission;
  readonly part: Permission;
  /** Whether a person who forbids the whole means the part as well. The part can still be ticked by itself. */
  readonly endTogether: boolean;
}

const INCLUSIONS: readonly Inclusion[] = [
  { whole: "print", part: "print_low", endTogether: true },
  { whole: "annotate", part: "fill_forms", endTogether: false },
];

/** Keeps the boxes of the permissions true: none is empty whose permission another ticked box includes. */
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
    // A reload keeps the boxes as they were.
    if (wholeBox.checked) partBox.checked = true;
  }
}
