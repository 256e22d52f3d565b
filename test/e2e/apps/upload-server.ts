import { mkdtempSync, rmSync } from "node:fs";
import type { RequestListener } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { receiveUpload } from "../../../service/http/upload.ts";

/** A file as the server has received it. */
export interface ReceivedFile {
  readonly name: string;
  readonly type: string;
  readonly content: Uint8Array;
  /** The other fields of its form. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** A server that takes uploads, in the forms that Uppy and FilePond send, and keeps them in memory. */
export function uploadServer(): { readonly listener: RequestListener; readonly received: ReceivedFile[] } {
  const received: ReceivedFile[] = [];
  const listener: RequestListener = async (request, response) => {
    const folder = mkdtempSync(join(tmpdir(), "stayput-upload-"));
    const { signal } = new AbortController();
    const form = await receiveUpload(request, { folder, limitBytes: 1e9, signal });
    // FilePond sends metadata under the name of the file.
    const fields = Object.fromEntries(form.filter(([, value]) => typeof value === "string"));
    for (const [, file] of form) {
      if (typeof file === "string") continue;
      received.push({ name: file.name, type: file.type, content: file.readSync(), fields });
    }
    rmSync(folder, { recursive: true });
    response.writeHead(200, { "Content-Type": "application/json" });
    response.end(JSON.stringify({ url: `/uploads/${received.length}` }));
  };
  return { listener, received };
}
