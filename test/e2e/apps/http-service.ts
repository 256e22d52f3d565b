import type { IncomingMessage, RequestListener } from "node:http";
import { zipSync } from "fflate";
import { protectBytes, splitBytes } from "../../support/engine.ts";

/**
 * The service as the apps were written for it: somewhere on the network, by section 1 of the contract and no more. It
 * splits and protects; `uploads` counts the forms that it was sent.
 */
export function httpService(): { readonly listener: RequestListener; readonly uploads: () => number } {
  const results = new Map<string, { readonly fileName: string; readonly content: Uint8Array }>();
  let uploads = 0;

  const listener: RequestListener = async (request, response) => {
    const { pathname, origin } = new URL(request.url ?? "/", `http://${request.headers.host}`);
    const result = results.get(pathname);
    if (result !== undefined) {
      const disposition = `attachment; filename="${result.fileName}"`;
      response.writeHead(200, { "Content-Disposition": disposition }).end(result.content);
      return;
    }
    const [, base = "", operation = ""] = /^(.*)\/api\/(.*)$/.exec(pathname) ?? [];
    const form = await readForm(request);
    uploads += 1;
    try {
      const made = await perform(operation, form);
      const path = `${base}/download/${uploads}/${made.fileName}`;
      results.set(path, made);
      const answer = { success: true, download_url: origin + path, file_name: made.fileName };
      response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(answer));
    } catch {
      response.writeHead(400, { "Content-Type": "application/json" }).end('{"success":false}');
    }
  };
  return { listener, uploads: () => uploads };
}

async function perform(operation: string, form: FormData) {
  const file = form.get("file");
  if (!(file instanceof File)) throw new Error("no file");
  const name = file.name.replace(/\.pdf$/, "");
  const content = new Uint8Array(await file.arrayBuffer());
  if (operation === "protect-pdf") {
    const password = String(form.get("password") ?? "");
    if (password === "") throw new Error("no password");
    return { fileName: `protected-${name}.pdf`, content: await protectBytes(content, { password }) };
  }
  const parts = await splitBytes(content, { pages: String(form.get("pages")), name });
  const files = Object.fromEntries(parts.map((part) => [part.name, part.bytes]));
  return { fileName: `split-${name}.zip`, content: zipSync(files) };
}

async function readForm(request: IncomingMessage): Promise<FormData> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const headers = { "Content-Type": request.headers["content-type"] ?? "" };
  return new Response(new Uint8Array(Buffer.concat(chunks)), { headers }).formData();
}
