import { t } from "../messages/index.ts";
import { pageSize } from "../state/options.ts";
import { fileKind, taskFiles } from "../state/task.ts";
import type { TrayFile } from "../state/tray.ts";
import { Choice, into } from "./choice.tsx";

/** The options of merging. */
export function MergePanel() {
  const areImages = taskFiles.value.every((file) => fileKind(file) === "image");
  const pages = pageCount(taskFiles.value);
  return (
    <>
      <div>
        {pages !== undefined && <p class="outcome">{t("merge.result", { count: pages })}</p>}
        <p class="hint">{t("merge.hint")}</p>
      </div>
      {areImages && (
        <Choice
          name="page-size"
          label={t("merge.pageSize")}
          value={pageSize.value}
          options={[
            ["fit", t("merge.fit")],
            ["a4", t("merge.a4")],
            ["letter", t("merge.letter")],
          ]}
          onChoose={into(pageSize)}
        />
      )}
    </>
  );
}

/** Returns the number of pages of the merged files. Undefined if it is not known of a file: a locked one. */
function pageCount(files: readonly TrayFile[]): number | undefined {
  let count = 0;
  for (const { inspection } of files) {
    const pages = inspection.value?.pages ?? inspection.value?.images;
    if (pages === undefined) return undefined;
    count += pages;
  }
  return count;
}
