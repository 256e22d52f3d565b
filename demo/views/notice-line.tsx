import { t } from "../messages/index.ts";
import { notice } from "../state/notice.ts";

/** Says that the browser refused something, until the user closes it. */
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
