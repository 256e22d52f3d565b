import { useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import { savesData } from "../state/offline.ts";
import { pictureOrOffline } from "../state/pictures.ts";
import { fileKind, needsPassword } from "../state/task.ts";
import { setOnScreen, setWanted, thumbnailOf } from "../state/thumbnails.ts";
import type { TrayFile } from "../state/tray.ts";

/**
 * Returns the blob URL of a picture once it is drawn, or that this needs the network. It is drawn again when the network is back.
 *
 * @param draw draws it. Undefined: there is nothing to draw
 * @param file the file, and the page of it, which another picture is drawn for
 */
export function usePicture(
  draw: ((signal: AbortSignal) => Promise<Blob | undefined>) | undefined,
  file: TrayFile,
  page?: number,
): { readonly url: string | undefined; readonly needsNetwork: boolean } {
  const url = useSignal<string | undefined>(undefined);
  const needsNetwork = useSignal(false);
  const canBeDrawn = draw !== undefined;
  useEffect(() => {
    if (draw === undefined) return undefined;
    const ending = new AbortController();
    const { signal } = ending;
    const show = async () => {
      const picture = await pictureOrOffline(() => draw(signal), signal);
      if (signal.aborted) return;
      needsNetwork.value = picture === "offline";
      if (picture instanceof Blob) url.value = URL.createObjectURL(picture);
    };
    const retry = () => {
      if (needsNetwork.value) void show();
    };
    void show();
    addEventListener("online", retry, { signal });
    return () => {
      ending.abort();
      if (url.value !== undefined) URL.revokeObjectURL(url.value);
      url.value = undefined;
      needsNetwork.value = false;
    };
  }, [file, page, canBeDrawn, url, needsNetwork]);
  return { url: url.value, needsNetwork: needsNetwork.value };
}

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
