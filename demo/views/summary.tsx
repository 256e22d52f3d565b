import { t } from "../messages/index.ts";
import { isWorking, tally } from "../state/jobs.ts";

/** A live region: screen readers announce when jobs start, and when all have ended. */
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
