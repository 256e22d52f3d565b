import { t } from "../messages/index.ts";
import { pageSize } from "../state/options.ts";
import { fileKind, taskFiles } from "../state/task.ts";
import { Choice, into } from "./choice.tsx";

/** The options of merging. */
export function MergePanel() {
  const areImages = taskFiles.value.every((file) => fileKind(file) === "image");
  return (
    <>
      <p class="hint">{t("merge.hint")}</p>
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
