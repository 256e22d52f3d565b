import { t } from "../messages/index.ts";
import { Button } from "./button.tsx";
import { OfflineNotice } from "./offline-notice.tsx";

const SOURCE = "https://github.com/stayput/stayput";

/** An example to try, what works without a network, and where the source and the documentation are. */
export function PageFooter() {
  return (
    <footer class="page-footer">
      <Button class="quiet" text={t("empty.example")} onClick={() => void tryExamples()} />
      <OfflineNotice />
      <nav class="links" aria-label={t("footer.label")}>
        <a href={SOURCE}>{t("footer.source")}</a>
        <a href={`${SOURCE}/tree/main/docs#readme`} hreflang="en">
          {t("footer.docs")}
        </a>
      </nav>
    </footer>
  );
}

async function tryExamples(): Promise<void> {
  await (await import("../state/examples.ts")).takeExamples();
}
