import { useRef } from "preact/hooks";
import { t } from "../messages/index.ts";

/** Says that the browser lets the workers send nothing, and on a click, how that was tried. */
export function SealNotice() {
  const dialog = useRef<HTMLDialogElement>(null);
  return (
    <>
      <button type="button" class="promise" id="promise" onClick={() => dialog.current?.showModal()}>
        <span>{t("app.sealed")}</span>
      </button>
      <dialog ref={dialog} aria-labelledby="sealed-title">
        <h2 id="sealed-title">{t("sealed.title")}</h2>
        <p>{t("sealed.text")}</p>
        <p>{t("sealed.tried")}</p>
        <p>
          {t("sealed.tests")} {t("sealed.exits")}.
        </p>
        <p class="hint">{t("sealed.page")}</p>
        <div class="buttons">
          <button type="button" class="button" onClick={() => dialog.current?.close()}>
            {t("sealed.close")}
          </button>
        </div>
      </dialog>
    </>
  );
}
