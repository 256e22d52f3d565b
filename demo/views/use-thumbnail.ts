import type { RefObject } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import { needsPassword } from "../state/task.ts";
import { setInView, thumbnailOf } from "../state/thumbnails.ts";
import type { TrayFile } from "../state/tray.ts";

/**
 * Returns the blob URL of the small picture of a file. It is made while the element that shows it is in view.
 *
 * @param page the page of a PDF that it shows
 */
export function useThumbnail(
  element: RefObject<Element | null>,
  file: TrayFile,
  page = 1,
): string | undefined {
  const thumbnail = useMemo(() => thumbnailOf(file, page), [file, page]);
  const canBeDrawn = file.inspection.value !== undefined && !needsPassword(file);
  useEffect(() => {
    if (element.current === null || !canBeDrawn) return undefined;
    let isInView = false;
    const report = (isNowInView: boolean) => {
      if (isNowInView !== isInView) setInView(thumbnail, isNowInView);
      isInView = isNowInView;
    };
    const observer = new IntersectionObserver((entries) => report(entries.at(-1)?.isIntersecting === true));
    observer.observe(element.current);
    return () => {
      observer.disconnect();
      report(false);
    };
  }, [element, thumbnail, canBeDrawn]);
  return thumbnail.url.value;
}
