import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { pictureOrOffline, screenPicture } from "../state/pictures.ts";
import type { TrayFile } from "../state/tray.ts";

/** Returns the blob URL of a picture of a file once it is drawn, or that this needs the network. */
export function usePicture(
  file: TrayFile,
  canBeDrawn = true,
): { readonly url?: string; needsNetwork: boolean } {
  const url = useSignal<string | undefined>(undefined);
  const needsNetwork = useSignal(false);
  useEffect(() => {
    if (!canBeDrawn) return undefined;
    const ending = new AbortController();
    const draw = async () => {
      const picture = await pictureOrOffline(() => screenPicture(file, ending.signal), ending.signal);
      if (ending.signal.aborted) return;
      needsNetwork.value = picture === "offline";
      if (picture instanceof Blob) url.value = URL.createObjectURL(picture);
    };
    void draw();
    return () => {
      ending.abort();
      if (url.value !== undefined) URL.revokeObjectURL(url.value);
      url.value = undefined;
    };
  }, [file, canBeDrawn, url, needsNetwork]);
  return { ...(url.value !== undefined && { url: url.value }), needsNetwork: needsNetwork.value };
}
