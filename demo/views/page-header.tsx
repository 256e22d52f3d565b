import { chooseLanguage, language, t } from "../messages/index.ts";
import { serviceHost, serviceUrl } from "../state/service.ts";

/** The name of the app, its promise, and the switch of the language. */
export function PageHeader() {
  const other = language() === "en" ? "de" : "en";
  return (
    <header class="page-header">
      <h1>
        Stayput <span class="tagline">{t("app.tagline")}</span>
      </h1>
      <p class="promise" id="promise">
        {serviceUrl === undefined
          ? `${t("app.promise")} ${t("app.check")}`
          : t("app.promiseService", { host: serviceHost })}
      </p>
      <button type="button" class="quiet language" lang={other} onClick={() => void chooseLanguage(other)}>
        {other === "de" ? "Deutsch" : "English"}
      </button>
    </header>
  );
}
