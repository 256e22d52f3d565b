import { language, t } from "../messages/index.ts";
import { formatName, readableSize } from "../state/formats.ts";
import { mergedFrom } from "../state/merge-parts.ts";
import { fileKind, isLocked, needsPassword, task } from "../state/task.ts";
import type { TrayFile } from "../state/tray.ts";

/** What is known of a file: its format, pages, size and locks. */
export function RowFacts({ file }: { readonly file: TrayFile }) {
  const inspection = file.inspection.value;
  const size = readableSize(file.file.size, language());
  if (inspection === undefined) {
    return (
      <>
        <span>{size} </span>
        {!file.problem.value && <span>{t("row.looking")}</span>}
      </>
    );
  }
  const [first] = inspection.page_sizes ?? [];
  const isImage = fileKind(file) === "image";
  const facts = [
    formatName(inspection.format),
    inspection.pages !== undefined && pagesText(file, inspection.pages),
    isImage && first && `${first.width} × ${first.height}`,
    (inspection.images ?? 1) > 1 && t("outcome.pictures", { count: inspection.images ?? 1 }),
    size,
    inspection.is_signed && t("row.signed"),
  ];
  return (
    <>
      {facts.filter(Boolean).map((fact) => (
        <span key={fact}>{fact} </span>
      ))}
      {isLocked(file) && <LockBadge isOpen={!needsPassword(file)} />}
      {inspection.encrypted && !isLocked(file) && <span class="badge">{t("row.restricted")}</span>}
    </>
  );
}

/** Returns how many pages a PDF has, and how many of them a merge takes. */
export function pagesText(file: TrayFile, total: number): string {
  const count = task.value === "merge" ? (mergedFrom(file).pages ?? total) : total;
  return count === total ? t("row.pages", { count }) : t("row.somePages", { count, total });
}

function LockBadge({ isOpen }: { readonly isOpen: boolean }) {
  return isOpen ? (
    <span class="badge good">{t("row.open")}</span>
  ) : (
    <span class="badge">{t("row.locked")}</span>
  );
}
