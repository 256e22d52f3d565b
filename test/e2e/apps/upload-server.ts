import { mkdtempSync, rmSync } from "node:fs";
import type { RequestListener } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { receiveUpload } from "../../../demo/service/upload.ts";

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
    const form = await receiveUpload(request, folder, 1e9, new AbortController().signal);
    // FilePond sends metadata under the name of the file.
    const files = Object.values(form)
      .flat()
      .filter((value) => value instanceof File);
    for (const file of files) {
      const content = new Uint8Array(await file.arrayBuffer());
      received.push({ name: file.name, type: file.type, content, fields: form });
    }
    rmSync(folder, { recursive: true });
    response.writeHead(200, { "Content-Type": "application/json" });
    response.end(JSON.stringify({ url: `/uploads/${received.length}` }));
  };
  return { listener, received };
}
