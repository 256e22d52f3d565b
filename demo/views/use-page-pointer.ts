import { useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import type { PageChoice } from "../state/page-choice.ts";
import { addRange, toggleCut, togglePage } from "../state/page-selection.ts";

/** What the pointer does to the pages of the grid. */
export interface PageActions {
  /** Selects a page, or takes it out. */
  toggle(page: number): void;
  /** Puts the pages from one, or from the one before, into a file. */
  selectTo(page: number, from?: number): void;
  cut(page: number): void;
  showLarge(page: number): void;
}

/** How long a finger holds a page to see it large, in milliseconds. */
const LONG_PRESS_MS = 500;

/** What the pointer that is down may still become: a click, a drag, or a long press. */
interface Gesture {
  /** The page where it began. */
  readonly from: number;
  isClick: boolean;
  /** Waits for the end of a long press. Absent for the mouse. */
  readonly timer?: ReturnType<typeof setTimeout>;
}

/** Returns the handlers of the pointer: a click, a drag over pages with the mouse, a long press with a finger. */
export function usePagePointer({ toggle, selectTo, cut, showLarge }: PageActions) {
  const gesture = useRef<Gesture | undefined>(undefined);
  const endPress = () => clearTimeout(gesture.current?.timer);
  useEffect(() => endPress, []);

  const startGesture = (from: number, isMouse: boolean): Gesture => {
    if (isMouse) return { from, isClick: true };
    const timer = setTimeout(() => {
      press.isClick = false;
      showLarge(from);
    }, LONG_PRESS_MS);
    const press: Gesture = { from, isClick: true, timer };
    return press;
  };
  return {
    onPointerDown: ({ target, pointerType, button }: PointerEvent) => {
      endPress();
      const page = button === 0 ? pageAt(target) : undefined;
      gesture.current = page === undefined ? undefined : startGesture(page, pointerType === "mouse");
    },
    onPointerOver: ({ target, pointerType, buttons }: PointerEvent) => {
      const page = pageAt(target);
      const drag = gesture.current;
      if (page === undefined || drag === undefined || pointerType !== "mouse" || buttons !== 1) return;
      if (drag.isClick && page === drag.from) return;
      drag.isClick = false;
      selectTo(page, drag.from);
    },
    onPointerUp: endPress,
    // The finger scrolls.
    onPointerCancel: endPress,
    onContextMenu: (event: MouseEvent) => {
      // The menu that a long press opens for a picture.
      if (gesture.current?.timer !== undefined) event.preventDefault();
    },
    onClick: ({ target, shiftKey }: MouseEvent) => {
      const element = target instanceof Element ? target : undefined;
      const seam = element?.closest<HTMLElement>(".seam");
      const page = pageAt(target);
      if (seam) cut(Number(seam.dataset.after));
      else if (page === undefined || gesture.current?.isClick === false) return;
      else if (element?.closest(".page-magnifier")) showLarge(page);
      else if (shiftKey) selectTo(page);
      else toggle(page);
    },
  };
}

/** Returns the page that an event is at. */
function pageAt(target: EventTarget | null): number | undefined {
  const page = target instanceof Element ? target.closest<HTMLElement>(".page") : null;
  return page === null ? undefined : Number(page.dataset.page);
}

/** A range of pages that was selected last, and may still change. */
interface Range {
  readonly from: number;
  /** The selection without the range, and with it. */
  readonly before: string;
  readonly after: string;
  /** Makes its changes one step for undo. */
  readonly key: object;
}

/** Returns the page that has the focus of the grid, and what changes the chosen pages. */
export function usePageSelection(choice: PageChoice, pageCount: number) {
  /** The page that Tab reaches. */
  const active = useSignal(1);
  /** Where a range begins that Shift makes. */
  const anchor = useRef(1);
  const range = useRef<Range | undefined>(undefined);
  const moveTo = (page: number) => {
    anchor.current = page;
    active.value = page;
  };
  return {
    active: active.value,
    moveTo,
    toggle: (page: number) => {
      choice.set(togglePage(choice.text(), page, pageCount));
      moveTo(page);
    },
    cut: (page: number) => {
      choice.set(toggleCut(choice.text(), page, pageCount));
      moveTo(page);
    },
    /** Puts the pages from one, or from the one before, into a file. The same range may be made longer or shorter. */
    selectTo: (page: number, from = anchor.current) => {
      const last = range.current;
      const isSame = last?.from === from && last.after === choice.text();
      const { before, key } = isSame ? last : { before: choice.text(), key: {} };
      choice.set(addRange(before, [from, page], pageCount), key);
      range.current = { from, before, after: choice.text(), key };
      anchor.current = from;
      active.value = page;
    },
  };
}

/** Where the focus of the grid is, and where it can go. */
interface GridFocus {
  /** The page that Tab reaches. */
  readonly active: number;
  readonly pageCount: number;
  readonly columns: number;
}

/** What the keys do to the pages of the grid. */
interface KeyActions extends Omit<PageActions, "cut"> {
  moveTo(page: number): void;
}

/**
 * Returns the handler of the keys: an arrow key moves the focus, with Shift it selects a range, Enter selects a page, Space
 * shows it large. From the scissors, arrow keys go to other scissors, which are buttons.
 */
export function usePageKeys(
  list: RefObject<HTMLElement | null>,
  { active, pageCount, columns }: GridFocus,
  { toggle, selectTo, moveTo, showLarge }: KeyActions,
) {
  const focusLater = useFocusAfterRender(list);
  return (event: KeyboardEvent) => {
    const { key, shiftKey, target } = event;
    const isAtSeam = target instanceof Element && target.closest(".seam") !== null;
    const step = stepOf(key, columns);
    if (step !== undefined) {
      event.preventDefault();
      const page = Math.max(1, Math.min(isAtSeam ? pageCount - 1 : pageCount, active + step));
      if (page === active) return;
      focusLater(isAtSeam ? `[data-after="${page}"]` : `[data-page="${page}"]`);
      if (shiftKey && !isAtSeam) selectTo(page);
      else moveTo(page);
    } else if (!isAtSeam && (key === "Enter" || key === " ")) {
      event.preventDefault();
      if (key === " ") showLarge(active);
      else if (shiftKey) selectTo(active);
      else toggle(active);
    }
  };
}

/** Returns what focuses an element of the grid once it is there: a page may get its cell only now. */
export function useFocusAfterRender(list: RefObject<HTMLElement | null>): (selector: string) => void {
  const wanted = useRef<string | undefined>(undefined);
  useLayoutEffect(() => {
    if (wanted.current !== undefined) list.current?.querySelector<HTMLElement>(wanted.current)?.focus();
    wanted.current = undefined;
  });
  return (selector) => {
    wanted.current = selector;
  };
}

/** Returns by how many pages a key moves. */
export function stepOf(key: string, columns: number): number | undefined {
  const steps: Readonly<Record<string, number>> = {
    ArrowLeft: -1,
    ArrowRight: 1,
    ArrowUp: -columns,
    ArrowDown: columns,
    Home: Number.NEGATIVE_INFINITY,
    End: Number.POSITIVE_INFINITY,
  };
  return steps[key];
}
