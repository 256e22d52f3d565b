import { useRef } from "preact/hooks";
import { chooseTask } from "../browser/window.ts";
import { chooseLanguage, language, t } from "../messages/index.ts";
import { seal } from "../state/client.ts";
import { serviceHost, serviceUrl } from "../state/service.ts";
import { fileKind, offeredTasks, task } from "../state/task.ts";
import { TASKS, type Task } from "../state/task-list.ts";
import { trayFiles } from "../state/tray.ts";
import { Button } from "./button.tsx";
import { Icon } from "./icon.tsx";

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
      <Button
        class="quiet language"
        lang={other}
        text={other === "de" ? "Deutsch" : "English"}
        onClick={() => void chooseLanguage(other)}
      />
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
          <Button class="button" text={t("notice.close")} onClick={() => dialog.current?.close()} />
        </div>
      </dialog>
    </>
  );
}

/** All tasks, always in the same places. Those that no file takes are gray and say why. */
function TaskTabs() {
  const areImages = trayFiles.value.every((file) => fileKind(file) === "image");
  return (
    <nav class="tabs" aria-label={t("task.label")}>
      {TASKS.map((one) => (
        <TaskTab
          key={one}
          task={one}
          label={t(one === "merge" && areImages ? "task.onePdf" : `task.${one}`)}
        />
      ))}
    </nav>
  );
}

/** A task that no file takes can be clicked, too: then the page says why it is gray. */
function TaskTab({ task: own, label }: { readonly task: Task; readonly label: string }) {
  const isOffered = offeredTasks.value.includes(own);
  const reason = isOffered ? undefined : t(`refused.${own}`);
  return (
    <button
      type="button"
      class="tab"
      data-task={own}
      aria-current={task.value === own ? "true" : undefined}
      aria-disabled={reason ? "true" : undefined}
      aria-description={reason}
      title={reason}
      onClick={() => chooseTask(own)}
    >
      {label}
    </button>
  );
}
