import { t } from "../messages/index.ts";
import { isFontLoading } from "../state/fonts.ts";

/** Says why pages take longer: a large font is on its way. */
export function FontNotice() {
  return (
    <div class="toast" role="status" hidden={!isFontLoading.value}>
      {isFontLoading.value && <span>{t("row.loadingFont")}</span>}
    </div>
  );
}
