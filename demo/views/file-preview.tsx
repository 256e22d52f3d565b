import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { ServiceError } from "../../src/index.ts";
import { t } from "../messages/index.ts";
import { convertedPicture, pagePicture } from "../state/pictures.ts";
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
      const picture = await pictureOf(file, ending.signal);
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

/** Returns `undefined` for a file that cannot be drawn: its row in the list says why. */
async function pictureOf(file: TrayFile, signal: AbortSignal): Promise<Blob | "offline" | undefined> {
  try {
    if (fileKind(file) === "pdf") return await pagePicture(file, { page: 1, width: SIDE }, signal);
    const size = { max_width: SIDE, max_height: SIDE };
    return await convertedPicture({ file: file.file, output_format: "webp", pages: "1", ...size }, signal);
  } catch (error) {
    if (error instanceof ServiceError) return error.code === "offline" ? "offline" : undefined;
    if (!signal.aborted) throw error;
    return undefined;
  }
}
