/** Moves the focus to the control that Tab reaches after an element and all that is in it, if the form has one. */
export function focusNext(element: HTMLElement): void {
  const controls = element.closest("form")?.querySelectorAll<HTMLElement>(CONTROLS) ?? [];
  const next = [...controls].find((control) => isAfter(element, control) && isReachedByTab(control));
  next?.focus();
}

/** Not the button that opens and closes the options, which would hide what follows. */
const CONTROLS = "input, select, button:not(.sheet-toggle), summary, [tabindex]";

function isAfter(element: HTMLElement, control: HTMLElement): boolean {
  const position = element.compareDocumentPosition(control);
  return (
    (position & Node.DOCUMENT_POSITION_FOLLOWING) !== 0 &&
    (position & Node.DOCUMENT_POSITION_CONTAINED_BY) === 0
  );
}

function isReachedByTab(control: HTMLElement): boolean {
  if (control.tabIndex < 0 || control.matches(":disabled") || !control.checkVisibility()) return false;
  // Tab reaches the chosen one of a group.
  return !(control instanceof HTMLInputElement && control.type === "radio") || control.checked;
}
