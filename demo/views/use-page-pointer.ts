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

/** Returns the handlers of the pointer: a click, a drag over pages with the mouse, a long press with a finger. */
export function usePagePointer({ toggle, selectTo, cut, showLarge }: PageActions) {
  /** A drag of the mouse: where it began, and whether it has left the page. */
  const drag = useRef<{ readonly from: number; hasMoved: boolean } | undefined>(undefined);
  const press = useRef<{ readonly timer: ReturnType<typeof setTimeout>; isLong: boolean } | undefined>(
    undefined,
  );
  const endPress = () => clearTimeout(press.current?.timer);
  useEffect(() => endPress, []);
  return {
    onPointerDown: ({ target, pointerType, shiftKey, button }: PointerEvent) => {
      endPress();
      drag.current = undefined;
      press.current = undefined;
      const page = pageAt(target);
      if (page === undefined || button !== 0) return;
      if (pointerType === "mouse") {
        if (!shiftKey) drag.current = { from: page, hasMoved: false };
        return;
      }
      const timer = setTimeout(() => {
        if (press.current) press.current.isLong = true;
        showLarge(page);
      }, LONG_PRESS_MS);
      press.current = { timer, isLong: false };
    },
    onPointerOver: ({ target, buttons }: PointerEvent) => {
      const page = pageAt(target);
      const started = drag.current;
      if (page === undefined || started === undefined || buttons !== 1) return;
      if (page === started.from && !started.hasMoved) return;
      started.hasMoved = true;
      selectTo(page, started.from);
    },
    onPointerUp: endPress,
    // The finger scrolls.
    onPointerCancel: endPress,
    onContextMenu: (event: MouseEvent) => {
      // The menu that a long press opens for a picture.
      if (press.current) event.preventDefault();
    },
    onClick: ({ target, shiftKey }: MouseEvent) => {
      const element = target instanceof Element ? target : undefined;
      const seam = element?.closest<HTMLElement>(".seam");
      const page = pageAt(target);
      if (seam) cut(Number(seam.dataset.after));
      else if (page === undefined || drag.current?.hasMoved || press.current?.isLong) return;
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
