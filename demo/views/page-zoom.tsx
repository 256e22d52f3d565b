import { type Signal, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { ServiceError } from "../../src/index.ts";
import { t } from "../messages/index.ts";
import { client } from "../state/client.ts";
import type { TrayFile } from "../state/tray.ts";

/** How wide a large picture is, in pixels of the screen. */
const WIDTH = 1000;

/** Shows a page large, in a dialog. `page` is undefined while none is shown. */
export function PageZoom({
  file,
  page,
}: {
  readonly file: TrayFile;
  readonly page: Signal<number | undefined>;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const url = useSignal<string | undefined>(undefined);
  const shown = page.value;
  useEffect(() => {
    if (shown === undefined) return;
    dialog.current?.showModal();
    const ending = new AbortController();
    void pictureOf(file, shown, ending.signal).then((picture) => {
      if (picture !== undefined && !ending.signal.aborted) url.value = URL.createObjectURL(picture);
    });
    return () => {
      ending.abort();
      dialog.current?.close();
      if (url.value !== undefined) URL.revokeObjectURL(url.value);
      url.value = undefined;
    };
  }, [file, shown, page, url]);
  const close = () => {
    page.value = undefined;
  };
  const name = shown === undefined ? "" : t("split.page", { page: shown });
  return (
    <dialog ref={dialog} class="page-zoom" aria-label={name} onClose={close}>
      {url.value !== undefined && <img src={url.value} alt={name} />}
      <button type="button" class="button" onClick={close}>
        {t("notice.close")}
      </button>
    </dialog>
  );
}

async function pictureOf(file: TrayFile, page: number, signal: AbortSignal): Promise<Blob | undefined> {
  const password = file.password.peek();
  const params = {
    file: file.file,
    pages: String(page),
    width: WIDTH,
    ...(password === "" ? {} : { password }),
  };
  try {
    for await (const { blob } of client.renderPages(params, { signal })) return blob;
  } catch (error) {
    // A page that cannot be drawn stays without a picture, as in the grid.
    if (!(error instanceof ServiceError) && !signal.aborted) throw error;
  }
  return undefined;
}
