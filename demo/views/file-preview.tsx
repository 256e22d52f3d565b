import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { t } from "../messages/index.ts";
import { convertedPicture, pagePicture, pictureOrOffline } from "../state/pictures.ts";
import { fileKind, needsPassword, task } from "../state/task.ts";
import type { TrayFile } from "../state/tray.ts";
import { Icon } from "./icon.tsx";

/** How wide and how high the picture is at most, in pixels of the screen. */
const SIDE = 900;

/** The first page of a document, or a picture. A task with a password shows a lock on it. */
export function FilePreview({ file }: { readonly file: TrayFile }) {
  const url = useSignal<string | undefined>(undefined);
  const needsNetwork = useSignal(false);
  const canBeDrawn = fileKind(file) !== "office" && !needsPassword(file);
  useEffect(() => {
    if (!canBeDrawn) return undefined;
    const ending = new AbortController();
    const draw = async () => {
      const picture = await pictureOrOffline(() => pictureOf(file, ending.signal), ending.signal);
      if (ending.signal.aborted) return;
      needsNetwork.value = picture === "offline";
      if (picture instanceof Blob) url.value = URL.createObjectURL(picture);
    };
    void draw();
    return () => {
      ending.abort();
      if (url.value !== undefined) URL.revokeObjectURL(url.value);
      url.value = undefined;
    };
  }, [file, canBeDrawn, url, needsNetwork]);
  const lock = task.value === "protect" || task.value === "unlock" ? task.value : undefined;
  return (
    <div class="preview">
      <div class="preview-sheet" data-empty={url.value === undefined ? "" : undefined}>
        {url.value !== undefined && (
          <img src={url.value} alt={t("stage.firstPage", { name: file.file.name })} />
        )}
        {lock && (
          <span class="preview-lock">
            <Icon name={lock} />
          </span>
        )}
      </div>
      {needsNetwork.value && <p class="hint">{t("split.offline")}</p>}
    </div>
  );
}

function pictureOf(file: TrayFile, signal: AbortSignal): Promise<Blob | undefined> {
  if (fileKind(file) === "pdf") return pagePicture(file, { page: 1, width: SIDE }, signal);
  const size = { max_width: SIDE, max_height: SIDE };
  return convertedPicture({ file: file.file, output_format: "webp", pages: "1", ...size }, signal);
}
