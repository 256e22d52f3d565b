import { t } from "../messages/index.ts";
import { mergedPages, mergeParts } from "../state/merge-parts.ts";
import { pageSize } from "../state/options.ts";
import { fileKind, taskFiles } from "../state/task.ts";
import { Choice, into } from "./choice.tsx";
import { MergeSequence } from "./merge-sequence.tsx";

/** The options of merging. */
export function MergePanel() {
  const areImages = taskFiles.value.every((file) => fileKind(file) === "image");
  const parts = mergeParts(taskFiles.value, areImages ? pageSize.value : "fit");
  const pages = mergedPages(parts);
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
      <MergeSequence parts={parts} />
    </>
  );
}
