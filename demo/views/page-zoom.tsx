import type { Signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { t } from "../messages/index.ts";
import { pagePicture } from "../state/pictures.ts";
import type { TrayFile } from "../state/tray.ts";
import { Button } from "./button.tsx";
import { into } from "./into-signal.ts";
import { usePicture } from "./use-picture.ts";

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
  const shown = page.value;
  const isOpen = shown !== undefined;
  useEffect(() => {
    if (isOpen) dialog.current?.showModal();
    else dialog.current?.close();
  }, [isOpen]);
  const { url, needsNetwork } = usePicture(
    isOpen ? (signal) => pagePicture(file, { page: shown, width: WIDTH }, signal) : undefined,
    file,
    shown,
  );
  const close = () => into(page)(undefined);
  const goTo = (other: number) => {
    if (isOpen && other >= 1 && other <= pageCount) page.value = other;
  };
  const neighbor = (other: number, icon: "left" | "right") => (
    <Button
      class="icon"
      icon={icon}
      label={t("split.page", { page: other })}
      disabled={other < 1 || other > pageCount}
      onClick={() => goTo(other)}
    />
  );
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
        {url !== undefined && <img src={url} alt={name} />}
        {needsNetwork && <p>{t("split.offline")}</p>}
      </div>
      {isOpen && (
        <div class="page-zoom-bar">
          {neighbor(shown - 1, "left")}
          <p>
            {shown} / {pageCount}
          </p>
          {neighbor(shown + 1, "right")}
          <Button class="button" text={t("notice.close")} onClick={close} />
        </div>
      )}
    </dialog>
  );
}
