import { t } from "../messages/index.ts";
import { isWorking, tally } from "../state/jobs.ts";

/** Tells screen readers how the work stands: when it starts, and when it ends. */
export function Summary() {
  const { total, ready, failed } = tally.value;
  const texts = isWorking.value
    ? [t("action.working", { count: total })]
    : [ready > 0 && t("action.ready", { count: ready }), failed > 0 && t("action.failed", { count: failed })];
  return (
    <p class="visually-hidden" role="status" id="summary">
      {texts.filter(Boolean).join(". ")}
    </p>
  );
}
