import { isTouch } from "../browser/window.ts";
import { t } from "../messages/index.ts";
import { areImages } from "../state/merge-parts.ts";
import { pageSize } from "../state/options.ts";
import { fileKind, shownFile, taskFiles } from "../state/task.ts";
import type { TrayFile } from "../state/tray.ts";
import { Choice } from "./choice.tsx";
import { Field } from "./field.tsx";
import { WithName } from "./file-name.tsx";
import { into } from "./into-signal.ts";

/** The options of merging. */
export function MergePanel() {
  const file = shownFile.value;
  return (
    <>
      <p class="hint">{t("merge.hint")}</p>
      {areImages.value && (
        <Choice
          name="page-size"
          label={t("merge.pageSize")}
          value={pageSize.value}
          options={(["fit", "a4", "letter"] as const).map((size) => [size, t(`merge.${size}`)])}
          onChoose={into(pageSize)}
        />
      )}
      {file && <MergePages key={file.id} file={file} />}
    </>
  );
}

/** Which pages of a PDF come in. */
function MergePages({ file }: { readonly file: TrayFile }) {
  const { name } = file.file;
  const hasOthers = taskFiles.value.some((one) => one !== file && fileKind(one) === "pdf");
  const others = hasOthers ? ` ${t(isTouch() ? "merge.otherFileTouch" : "merge.otherFile")}` : "";
  return (
    <Field
      id={`merge-pages-${file.id}`}
      label={<WithName text={t("split.grid", { name })} name={name} />}
      hint={t("merge.pagesHint") + others}
      value={file.mergePages.value}
      onType={into(file.mergePages)}
      input={{ placeholder: t("pages.all") }}
    />
  );
}
