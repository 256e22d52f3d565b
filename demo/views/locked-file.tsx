import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { focusNext } from "../browser/focus-next.ts";
import { isFocusFree } from "../browser/keep-focus.ts";
import { focusField } from "../browser/start.ts";
import { isNarrow, isTouch } from "../browser/window.ts";
import { t } from "../messages/index.ts";
import { showProblemsAt } from "../state/checks.ts";
import { openWith } from "../state/inspect.ts";
import { isSheetOpen, setSheet } from "../state/shown-result.ts";
import { needsPassword, taskFiles } from "../state/task.ts";
import type { TrayFile } from "../state/tray.ts";
import { WithName } from "./file-name.tsx";
import { into } from "./into-signal.ts";
import { PasswordField } from "./password-field.tsx";

/**
 * The password of a locked file: a field, or a line of text once the password is correct. Enter in the field opens the file
 * and moves the focus on. The field stays while it or its button has the focus, so that the focus is never lost.
 */
export function LockedFile({ file }: { readonly file: TrayFile }) {
  const part = useRef<HTMLDivElement>(null);
  const hasFocus = useSignal(false);
  const typed = useSignal(file.password.value);
  const tried = useSignal(file.password.value);
  const id = `password-${file.id}` as const;
  const { name } = file.file;
  const isOpen = !needsPassword(file);

  useEffect(() => {
    // The button that chose the file may be gone. On touch, a keyboard would cover the page.
    if (needsPassword(file) && isFocusFree() && !isTouch()) focusField(id);
  }, [file, id]);

  const open = async () => {
    if (typed.value === tried.value) return;
    tried.value = typed.value;
    await openWith(file, typed.value);
    showProblemsAt(id);
    if (!document.activeElement?.closest(".options")) closeSheet();
  };
  const openAndGoOn = async () => {
    await open();
    const { current } = part;
    // The user may have gone elsewhere, or on typing.
    const isHere = current?.contains(document.activeElement) === true && typed.value === tried.value;
    if (isHere && !needsPassword(file)) goOn(current);
  };

  return (
    <div
      class="locked-file"
      ref={part}
      onFocusIn={() => {
        hasFocus.value = true;
        // Otherwise the sheet would close with the field.
        if (isSheetOpen.value) setSheet(true);
      }}
      onFocusOut={({ currentTarget, relatedTarget }) => {
        // The active element stays when another window gets the focus.
        hasFocus.value = [relatedTarget, document.activeElement].some(
          (one) => one instanceof Node && currentTarget.contains(one),
        );
      }}
    >
      {(!isOpen || hasFocus.value) && (
        <PasswordField
          id={id}
          label={<WithName text={t("password.label", { name })} name={name} />}
          value={typed.value}
          onType={into(typed)}
          subject={name}
          input={{
            enterKeyHint: "go",
            onKeyDown: (event) => {
              if (event.key !== "Enter" || typed.value === "") return;
              // Opens the file first, so that a wrong password shows here.
              event.preventDefault();
              void openAndGoOn();
            },
          }}
          onLeave={() => void open()}
        />
      )}
      {/* Always there, so that screen readers announce its text. */}
      <p class="password-correct" role="status">
        {isOpen && <WithName text={t("password.correct", { name })} name={name} />}
      </p>
    </div>
  );
}

/** Closes the sheet of a narrow screen once all passwords are right. Returns whether it did. */
function closeSheet(): boolean {
  if (!isNarrow() || taskFiles.value.some(needsPassword)) return false;
  setSheet(false);
  return true;
}

/** Moves the focus on: to what follows, or to the start if that is covered no more. */
function goOn(element: HTMLElement): void {
  if (closeSheet()) document.getElementById("start")?.focus();
  else focusNext(element);
}
