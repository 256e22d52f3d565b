import { useEffect, useRef } from "preact/hooks";

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
