import type { RefObject } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import { savesData } from "../state/offline.ts";
import { fileKind, needsPassword } from "../state/task.ts";
import { setOnScreen, setWanted, thumbnailOf } from "../state/thumbnails.ts";
import type { TrayFile } from "../state/tray.ts";

/**
 * Returns the blob URL of the small picture of a file. It is made while the element that shows it is on the screen.
 *
 * @param page the page of a PDF that it shows
 * @param isInGrid whether it is made wherever the element is: a grid has elements for the pages near the screen only
 */
export function useThumbnail(
  element: RefObject<Element | null>,
  file: TrayFile,
  page = 1,
  isInGrid = false,
): string | undefined {
  const thumbnail = useMemo(() => thumbnailOf(file, page), [file, page]);
  // Beside the grid, no picture is worth an engine of several megabytes.
  const isWorthIt = isInGrid || fileKind(file) === "image" || !savesData();
  const canBeDrawn = file.inspection.value !== undefined && !needsPassword(file) && isWorthIt;
  useEffect(() => {
    if (element.current === null || !canBeDrawn) return undefined;
    let isNear = false;
    let isOnScreen = false;
    const report = (isNowNear: boolean, isNowOnScreen: boolean) => {
      if (isNowNear !== isNear) setWanted(thumbnail, isNowNear);
      if (isNowOnScreen !== isOnScreen) setOnScreen(thumbnail, isNowOnScreen);
      isNear = isNowNear;
      isOnScreen = isNowOnScreen;
    };
    const observer = new IntersectionObserver((entries) =>
      report(isInGrid, entries.at(-1)?.isIntersecting === true),
    );
    observer.observe(element.current);
    return () => {
      observer.disconnect();
      report(false, false);
    };
  }, [element, thumbnail, canBeDrawn, isInGrid]);
  return thumbnail.url.value;
}
