import { useEffect } from "preact/hooks";
import { language, t } from "../messages/index.ts";
import { readableSize } from "../state/formats.ts";
import { keepEverything, offline, updateOfflineState } from "../state/offline.ts";

/** Says what works without a network, and offers to keep the rest. */
export function OfflineNotice() {
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
