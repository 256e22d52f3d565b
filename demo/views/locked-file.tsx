import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { t } from "../messages/index.ts";
import { showProblemsAt } from "../state/checks.ts";
import { openWith } from "../state/inspect.ts";
import { needsPassword } from "../state/task.ts";
import type { TrayFile } from "../state/tray.ts";
import { focusNext } from "./focus-next.ts";
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

  const open = async () => {
    if (typed.value === tried.value) return;
    tried.value = typed.value;
    await openWith(file, typed.value);
    showProblemsAt(id);
  };
  const openAndGoOn = async () => {
    await open();
    const { current } = part;
    // The user may have gone elsewhere, or on typing.
    const isHere = current?.contains(document.activeElement) === true && typed.value === tried.value;
    if (isHere && !needsPassword(file)) focusNext(current);
  };

  return (
    <div
      class="locked-file"
      ref={part}
      onFocusIn={() => {
        hasFocus.value = true;
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
          label={t("password.label", { name })}
          value={typed}
          subject={name}
          input={{
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
        {isOpen && t("password.correct", { name })}
      </p>
    </div>
  );
}
