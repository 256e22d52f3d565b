import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { PageChoice } from "../state/page-choice.ts";
import { addRange, toggleCut, togglePage } from "../state/page-groups.ts";

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
