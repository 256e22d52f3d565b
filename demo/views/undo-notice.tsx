import { useEffect } from "preact/hooks";
import { t } from "../messages/index.ts";
import { forgetRemoval, lastRemoval, undoRemoval } from "../state/tray.ts";

/** How long a removal can be undone. */
const UNDO_MS = 15_000;

/** The message that files were removed, with a button that brings them back. */
export function UndoNotice() {
  const removal = lastRemoval.value;
  useEffect(() => {
    if (removal === undefined) return undefined;
    const timer = setTimeout(forgetRemoval, UNDO_MS);
    return () => clearTimeout(timer);
  }, [removal]);
  return (
    <div class="toast" role="status" hidden={removal === undefined}>
      {removal && (
        <>
          <span>{t("tray.removed", { count: removal.files.length })}</span>
          <button type="button" class="quiet" onClick={undoRemoval}>
            {t("tray.undo")}
          </button>
        </>
      )}
    </div>
  );
}
