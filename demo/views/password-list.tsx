import { useSignal } from "@preact/signals";
import { t } from "../messages/index.ts";
import { showProblemsAt } from "../state/checks.ts";
import { openWith } from "../state/inspect.ts";
import { isLocked, needsPassword } from "../state/task.ts";
import type { TrayFile } from "../state/tray.ts";
import { PasswordField } from "./password-field.tsx";

/** The passwords of locked files, a field for each. */
export function PasswordList({ files }: { readonly files: readonly TrayFile[] }) {
  const locked = files.filter(isLocked);
  if (locked.length === 0) return null;
  return (
    <section class="passwords" aria-labelledby="passwords-title">
      <h3 id="passwords-title">{t("password.title", { count: locked.length })}</h3>
      {locked.map((file) => (
        <LockedFile key={file.id} file={file} />
      ))}
    </section>
  );
}

function LockedFile({ file }: { readonly file: TrayFile }) {
  const typed = useSignal(file.password.value);
  const id = `password-${file.id}` as const;
  const tried = useSignal(file.password.value);
  const open = async () => {
    if (typed.value === tried.value) return;
    tried.value = typed.value;
    await openWith(file, typed.value);
    showProblemsAt(id);
  };
  return (
    <PasswordField
      id={id}
      label={t("password.label", { name: file.file.name })}
      value={typed}
      subject={file.file.name}
      input={{
        onKeyDown: (event) => {
          if (event.key !== "Enter" || typed.value === tried.value) return;
          // Opens the file first, so that a wrong password shows here.
          event.preventDefault();
          void open();
        },
      }}
      onLeave={() => void open()}
    >
      {!needsPassword(file) && <span class="badge good">{t("password.correct")}</span>}
    </PasswordField>
  );
}
