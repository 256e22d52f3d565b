import { useEffect } from "preact/hooks";
import { language, t } from "../messages/index.ts";
import { readableSize } from "../state/formats.ts";
import { keepEverything, offline, updateOfflineState } from "../state/offline.ts";
import { Button } from "./button.tsx";

/** What is said of each state. */
const OFFLINE_TEXTS = {
  unknown: undefined,
  nothing: "offline.nothing",
  partly: "offline.partly",
  keeping: "offline.keeping",
  kept: "offline.kept",
  newer: "offline.newer",
  "not-kept": "offline.notKept",
} as const;

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
  const text = state.kind === "partly" && state.hasFailed ? "offline.failed" : OFFLINE_TEXTS[state.kind];
  const size = "missing" in state ? readableSize(state.missing, language()) : "";
  return (
    <>
      <p class="hint" id="offline" role="status">
        {text && t(text, { size })}
      </p>
      {canKeep && (
        <Button
          class="quiet"
          id="keep"
          text={t("offline.keep", { size })}
          onClick={() => void keepEverything()}
        />
      )}
    </>
  );
}
