import { t } from "../messages/index.ts";
import { notice } from "../state/notice.ts";

/** The message about an action that the browser refused, until the user closes it. */
export function NoticeLine() {
  const message = notice.value;
  return (
    <div class="toast wrong" role="alert" hidden={message === undefined}>
      {message && (
        <>
          <span>{t(message)}</span>
          <button
            type="button"
            class="quiet"
            onClick={() => {
              notice.value = undefined;
            }}
          >
            {t("notice.close")}
          </button>
        </>
      )}
    </div>
  );
}
