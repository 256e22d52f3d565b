import { useEffect } from "preact/hooks";
import { t } from "../messages/index.ts";
import { isFontLoading } from "../state/fonts.ts";
import { notice } from "../state/notice.ts";
import { lastingRemovals, lastRemoval, makeFinal, undo, undone } from "../state/undo.ts";
import { Button } from "./button.tsx";
import { into } from "./into-signal.ts";

/** How long a removal can be undone that does not last. */
const UNDO_MS = 15_000;

/** The messages over the page. */
export function Toasts() {
  return (
    <div class="toasts">
      <RefusalToast />
      <UndoToast />
      <Undone />
      <Toast text={isFontLoading.value ? t("row.loadingFont") : undefined} />
    </div>
  );
}

/** Says what the browser has refused, until the user closes it. */
function RefusalToast() {
  const { message, values } = notice.value ?? {};
  const close = () => into(notice)(undefined);
  return <Toast isWrong text={message && t(message, values)} action={[t("notice.close"), close]} />;
}

/** Says that files were removed, or set aside, with a button that brings them back. */
function UndoToast() {
  const removal = lastRemoval.value;
  const lasts = removal !== undefined && lastingRemovals.value.includes(removal);
  useEffect(() => {
    if (removal === undefined || lasts) return undefined;
    const timer = setTimeout(() => makeFinal(removal), UNDO_MS);
    return () => clearTimeout(timer);
  }, [removal, lasts]);
  const text = removal && t(removal.toast ?? "tray.removed", { count: removal.files.length });
  return <Toast text={text} action={[t("tray.undo"), () => undo(removal)]} />;
}

/** A live region: screen readers announce what was undone. It can be seen where it was. */
function Undone() {
  const step = undone.value;
  return (
    <p class="visually-hidden" role="status">
      {step && t(step.message, step.values)}
    </p>
  );
}

/** One message, which screen readers announce. Nothing is shown without a text. */
function Toast(props: {
  readonly text: string | undefined;
  readonly isWrong?: boolean;
  /** The label of a button, and what it does. */
  readonly action?: readonly [string, () => void];
}) {
  const { text, isWrong = false, action } = props;
  return (
    <div class={isWrong ? "toast wrong" : "toast"} role={isWrong ? "alert" : "status"} hidden={!text}>
      {text && <span>{text}</span>}
      {text && action && <Button class="quiet" text={action[0]} onClick={action[1]} />}
    </div>
  );
}
