import { effect } from "@preact/signals";
import { client } from "./client.ts";
import { lastRemoval, type TrayFile, trayFiles } from "./tray.ts";

/** Frees the results and the thumbnails of removed files when their removal can no longer be undone. */
export function discardRemovedFiles(): void {
  let before = lastRemoval.value;
  effect(() => {
    const now = lastRemoval.value;
    const here = trayFiles.peek();
    for (const file of before?.files ?? []) if (!here.includes(file)) discard(file);
    before = now;
  });
}

function discard(file: TrayFile): void {
  const job = file.job.peek();
  if (job.kind === "done") client.release(job.result);
  const url = file.thumbnail.peek();
  if (url !== undefined) URL.revokeObjectURL(url);
  file.thumbnail.value = undefined;
}
