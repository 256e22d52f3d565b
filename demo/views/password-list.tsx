import { t } from "../messages/index.ts";
import { isLocked, needsPassword, task } from "../state/task.ts";
import type { TrayFile } from "../state/tray.ts";
import { LockedFile } from "./locked-file.tsx";

/** The locked files: a field for the password of each that is not open yet. */
export function PasswordList({ files }: { readonly files: readonly TrayFile[] }) {
  const locked = files.filter(isLocked);
  if (locked.length === 0) return null;
  const missing = locked.filter(needsPassword).length;
  const title =
    missing > 0
      ? t("password.title", { count: missing })
      : t("password.allCorrect", { count: locked.length });
  return (
    <section class="passwords" aria-labelledby="passwords-title">
      <h3 id="passwords-title">{title}</h3>
      {locked.map((file) => (
        <LockedFile key={file.id} file={file} />
      ))}
      {task.value !== "unlock" && <p class="hint">{t("password.opensAfterwards")}</p>}
    </section>
  );
}
