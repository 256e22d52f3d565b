import { t } from "../messages/index.ts";
import { isWorking, tally } from "../state/jobs.ts";
import { largerCount, outdatedCount } from "../state/results.ts";

/** Live regions: screen readers announce when jobs start, when all have ended, and when a changed option outdates results. */
export function Summary() {
  const { total, ready, failed } = tally.value;
  const larger = largerCount.value;
  const texts = isWorking.value
    ? [t("action.working", { count: total })]
    : [
        ready > 0 && t("action.ready", { count: ready }),
        ready > 0 && larger > 0 && t("action.larger", { count: larger }),
        failed > 0 && t("action.failed", { count: failed }),
      ];
  const outdated = outdatedCount.value;
  return (
    <>
      <p class="visually-hidden" role="status" id="summary">
        {texts.filter(Boolean).join(". ")}
      </p>
      <p class="visually-hidden" role="status">
        {outdated > 0 && t("action.outdated", { count: outdated })}
      </p>
    </>
  );
}
