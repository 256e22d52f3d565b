import { useEffect } from "preact/hooks";
import { language, t } from "../messages/index.ts";
import { readableSize } from "../state/formats.ts";
import { keepEverything, offline, updateOfflineState } from "../state/offline.ts";

const SOURCE = "https://github.com/stayput/stayput";

/** An example to try, what works without a network, and where the source and the documentation are. */
export function PageFooter() {
  return (
    <footer class="page-footer">
      <button type="button" class="quiet" onClick={() => void tryExamples()}>
        {t("empty.example")}
      </button>
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

/** Says what works without a network, and offers to keep the rest. */
function OfflineNotice() {
  const state = offline.value;
  useEffect(() => {
    // Engines that tasks have used are kept meanwhile.
    if (offline.peek().kind === "partly") void updateOfflineState();
  }, []);
  // After a reload that skips the service worker, nothing can be kept.
  const canKeep =
    state.kind === "nothing" || (state.kind === "partly" && navigator.serviceWorker.controller !== null);
  const size = "missing" in state ? readableSize(state.missing, language()) : "";
  return (
    <>
      <p class="hint" id="offline" role="status">
        {state.kind === "nothing" && t("offline.nothing")}
        {state.kind === "partly" && t(state.hasFailed ? "offline.failed" : "offline.partly")}
        {state.kind === "keeping" && t("offline.keeping", { size })}
        {state.kind === "kept" && t("offline.kept")}
        {state.kind === "newer" && t("offline.newer")}
        {state.kind === "not-kept" && t("offline.notKept")}
      </p>
      {canKeep && (
        <button type="button" class="quiet" id="keep" onClick={() => void keepEverything()}>
          {t("offline.keep", { size })}
        </button>
      )}
    </>
  );
}
