import { isBeingInspected } from "../state/task.ts";
import { trayFiles } from "../state/tray.ts";

/** How long a view has to move the focus itself, in milliseconds. */
const OWN_MS = 100;

/** The parts of the page that stay when what they show changes. */
const PARTS = [".action-bar", ".stage", ".options", ".page-header"];

/** The element that has got the focus because another one has gone, until a key is pressed. */
let kept: HTMLElement | undefined;

/** Whether the user has the focus nowhere, so that a view may take it. */
export function isFocusFree(): boolean {
  return document.activeElement === document.body || document.activeElement === kept;
}

/** Moves the focus to something near when the element that has it goes, so that the keys never begin again at the top of the page. */
export function keepFocus(): void {
  let last: Element | undefined;
  let part: string | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  document.addEventListener("focusin", ({ target }) => {
    if (!(target instanceof Element)) return;
    last = target;
    part = PARTS.find((one) => target.closest(one));
  });
  const isGone = () => last !== undefined && (!last.checkVisibility() || last.matches(":disabled"));
  const check = () => {
    // A locked file will ask for its password.
    if (timer !== undefined || !isGone() || trayFiles.peek().some(isBeingInspected)) return;
    timer = setTimeout(() => {
      timer = undefined;
      if (!isGone() || ![document.body, last].includes(document.activeElement ?? document.body)) return;
      kept = elementNear(part);
      kept?.focus();
    }, OWN_MS);
  };
  document.addEventListener("keydown", () => {
    kept = undefined;
  });
  const options = { childList: true, subtree: true, attributeFilter: ["disabled", "hidden"] };
  new MutationObserver(check).observe(document.body, options);
}

/** Returns the element of a part that Tab reaches, or else the part, a row of the tray, or what chooses files. */
function elementNear(part: string | undefined): HTMLElement | undefined {
  const container = part === undefined ? undefined : document.querySelector<HTMLElement>(part);
  if (container && part !== ".page-header" && !container.hasAttribute("tabindex")) container.tabIndex = -1;
  const candidates = [
    container?.querySelector<HTMLElement>('[tabindex="0"]'),
    container,
    document.querySelector<HTMLElement>('.row[tabindex="0"]'),
    document.querySelector<HTMLElement>("#file-input"),
  ];
  return candidates.find((one) => one?.checkVisibility()) ?? undefined;
}
