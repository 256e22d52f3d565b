import { t } from "../messages/index.ts";
import { offline } from "../state/offline.ts";

/** Says whether the app works without a network. */
export function OfflineNotice() {
  const state = offline.value;
  return (
    <p class="hint" id="offline" role="status">
      {state.kind === "kept" && t("offline.kept")}
      {state.kind === "newer" && t("offline.newer")}
      {state.kind === "not-kept" && t("offline.notKept")}
    </p>
  );
}
