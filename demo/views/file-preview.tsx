import { t } from "../messages/index.ts";
import { screenPicture } from "../state/pictures.ts";
import { fileKind, needsPassword, task } from "../state/task.ts";
import type { TrayFile } from "../state/tray.ts";
import { Icon } from "./icon.tsx";
import { usePicture } from "./use-picture.ts";

/** The first page of a document, or a picture. A task with a password shows a lock on it. */
export function FilePreview({ file }: { readonly file: TrayFile }) {
  const canBeDrawn = fileKind(file) !== "office" && !needsPassword(file);
  const { url, needsNetwork } = usePicture(
    canBeDrawn ? (signal) => screenPicture(file, signal) : undefined,
    file,
  );
  const lock = task.value === "protect" || task.value === "unlock" ? task.value : undefined;
  return (
    <div class="preview">
      <div class="preview-sheet" data-empty={url === undefined ? "" : undefined}>
        {url && <img src={url} alt={t("stage.firstPage", { name: file.file.name })} />}
        {lock && (
          <span class="preview-lock">
            <Icon name={lock} />
          </span>
        )}
      </div>
      {needsNetwork && <p class="hint">{t("split.offline")}</p>}
    </div>
  );
}
