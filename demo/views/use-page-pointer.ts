import { useEffect, useRef } from "preact/hooks";

/** What the pointer does to the pages of the grid. */
export interface PageActions {
  /** Selects a page or takes it out, or selects all pages to it when Shift is held. */
  choose(page: number, isRange: boolean): void;
  /** Returns what puts a range into one file, however often it changes. */
  beginRange(from: number): (to: number) => void;
  cut(page: number): void;
  showLarge(page: number): void;
}

/** How long a finger holds a page to see it large, in milliseconds. */
const LONG_PRESS_MS = 500;

/** Returns the handlers of the pointer: a click, a drag over pages with the mouse, a long press with a finger. */
export function usePagePointer({ choose, beginRange, cut, showLarge }: PageActions) {
  /** A drag of the mouse: where it began, and what extends it once it has left the page. */
  const drag = useRef<{ readonly from: number; extend?: (to: number) => void } | undefined>(undefined);
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
        if (!shiftKey) drag.current = { from: page };
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
      if (page === started.from && !started.extend) return;
      started.extend ??= beginRange(started.from);
      started.extend(page);
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
      else if (page === undefined || drag.current?.extend || press.current?.isLong) return;
      else if (element?.closest(".page-magnifier")) showLarge(page);
      else choose(page, shiftKey);
    },
  };
}

/** Returns the page that an event is at. */
function pageAt(target: EventTarget | null): number | undefined {
  const page = target instanceof Element ? target.closest<HTMLElement>(".page") : null;
  return page === null ? undefined : Number(page.dataset.page);
}
