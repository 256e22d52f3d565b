import { useRef } from "preact/hooks";
import { chooseLanguage, language, t } from "../messages/index.ts";
import { seal } from "../state/client.ts";
import { serviceHost, serviceUrl } from "../state/service.ts";
import { trayFiles } from "../state/tray.ts";
import { Icon } from "./icon.tsx";
import { TaskTabs } from "./task-tabs.tsx";

/** The sign of the app, the tasks, where files go, and the switch of the language. */
export function PageHeader() {
  const other = language() === "en" ? "de" : "en";
  const isEmpty = trayFiles.value.length === 0;
  return (
    <header class="page-header">
      {/* The page without files has another one. */}
      {!isEmpty && <h1 class="visually-hidden">Stayput</h1>}
      <div class="brand">
        <span class="mark">
          <Icon name="mark" />
        </span>
        <span class="brand-name">Stayput</span>
      </div>
      {!isEmpty && <TaskTabs />}
      {serviceUrl === undefined && seal.value === "sealed" ? (
        <SealNotice />
      ) : (
        <p class="promise" id="promise" title={promise()}>
          {serviceUrl === undefined
            ? t(seal.value === "trying" ? "app.sealing" : "app.here")
            : t("app.hereService", { host: serviceHost })}
        </p>
      )}
      <button type="button" class="quiet language" lang={other} onClick={() => void chooseLanguage(other)}>
        {other === "de" ? "Deutsch" : "English"}
      </button>
    </header>
  );
}

/** Returns what the app says about where files go. */
export function promise(): string {
  if (serviceUrl !== undefined) return t("app.promiseService", { host: serviceHost });
  return `${t("app.promise")} ${t("app.check")}`;
}

/** Says that the browser lets the workers send nothing, and on a click, how that was tried. */
function SealNotice() {
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
            {t("notice.close")}
          </button>
        </div>
      </dialog>
    </>
  );
}
