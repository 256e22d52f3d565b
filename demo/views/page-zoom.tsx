import { type Signal, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { t } from "../messages/index.ts";
import { pagePicture, pictureOrOffline } from "../state/pictures.ts";
import type { TrayFile } from "../state/tray.ts";
import { Icon } from "./icon.tsx";

/** How wide a large picture is, in pixels of the screen. */
const WIDTH = 1000;

/** Shows a page large, in a dialog. `page` is undefined while none is shown. The arrow keys show its neighbors. */
export function PageZoom({
  file,
  page,
  pageCount,
}: {
  readonly file: TrayFile;
  readonly page: Signal<number | undefined>;
  readonly pageCount: number;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const url = useSignal<string | undefined>(undefined);
  const needsNetwork = useSignal(false);
  const shown = page.value;
  const isOpen = shown !== undefined;
  useEffect(() => {
    if (isOpen) dialog.current?.showModal();
    else dialog.current?.close();
  }, [isOpen]);
  useEffect(() => {
    if (shown === undefined) return;
    const ending = new AbortController();
    const draw = async () => {
      const picture = await pictureOrOffline(
        () => pagePicture(file, { page: shown, width: WIDTH }, ending.signal),
        ending.signal,
      );
      if (ending.signal.aborted) return;
      needsNetwork.value = picture === "offline";
      if (picture instanceof Blob) url.value = URL.createObjectURL(picture);
    };
    void draw();
    const retry = () => {
      if (needsNetwork.value) void draw();
    };
    addEventListener("online", retry);
    return () => {
      removeEventListener("online", retry);
      ending.abort();
      if (url.value !== undefined) URL.revokeObjectURL(url.value);
      url.value = undefined;
      needsNetwork.value = false;
    };
  }, [file, shown, url, needsNetwork]);
  const close = () => {
    page.value = undefined;
  };
  const goTo = (other: number) => {
    if (isOpen && other >= 1 && other <= pageCount) page.value = other;
  };
  const name = isOpen ? t("split.page", { page: shown }) : "";
  return (
    <dialog
      ref={dialog}
      class="page-zoom"
      aria-label={name}
      onClose={close}
      onKeyDown={({ key }) => {
        if (!isOpen) return;
        if (key === "ArrowLeft") goTo(shown - 1);
        else if (key === "ArrowRight") goTo(shown + 1);
      }}
    >
      <div class="page-zoom-picture" aria-live="polite">
        {url.value !== undefined && <img src={url.value} alt={name} />}
        {needsNetwork.value && <p>{t("split.offline")}</p>}
      </div>
      {isOpen && (
        <div class="page-zoom-bar">
          <Neighbor page={shown - 1} pageCount={pageCount} icon="left" onGo={goTo} />
          <p>
            {shown} / {pageCount}
          </p>
          <Neighbor page={shown + 1} pageCount={pageCount} icon="right" onGo={goTo} />
          <button type="button" class="button" onClick={close}>
            {t("notice.close")}
          </button>
        </div>
      )}
    </dialog>
  );
}

function Neighbor(props: {
  readonly page: number;
  readonly pageCount: number;
  readonly icon: "left" | "right";
  readonly onGo: (page: number) => void;
}) {
  const { page } = props;
  return (
    <button
      type="button"
      class="icon"
      aria-label={t("split.page", { page })}
      disabled={page < 1 || page > props.pageCount}
      onClick={() => props.onGo(page)}
    >
      <Icon name={props.icon} />
    </button>
  );
}
