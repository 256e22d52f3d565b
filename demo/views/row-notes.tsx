import { useComputed } from "@preact/signals";
import { t } from "../messages/index.ts";
import { serviceHost, serviceUrl } from "../state/service.ts";
import { fileKind } from "../state/task.ts";
import { duplicates, type TrayFile } from "../state/tray.ts";
import { Failure } from "./failure.tsx";

/** What the user should know about a file before the task starts. */
export function RowNotes({ file }: { readonly file: TrayFile }) {
  const isOffice = fileKind(file) === "office";
  const isDuplicate = useComputed(() => duplicates.value.has(file)).value;
  const problem = file.problem.value;
  return (
    <>
      {isDuplicate && <p class="note">{t("row.duplicate")}</p>}
      {isOffice && (
        <p class="note">
          {serviceUrl === undefined ? t("row.officeAlone") : t("row.office", { host: serviceHost })}
        </p>
      )}
      {problem !== undefined && problem.code !== "wrong_password" && (
        <Failure error={problem} name={file.file.name} isEmpty={file.file.size === 0} />
      )}
    </>
  );
}
