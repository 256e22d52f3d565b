import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { pictureOrOffline } from "../state/pictures.ts";
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
