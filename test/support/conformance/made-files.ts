import type { Page } from "playwright-core";
import { OPERATION_PATHS } from "../../../src/http/path.ts";
import { formOf, plain } from "./facades.ts";
import type { ServiceRequest } from "./service-request.ts";

/** Makes the file of a request that succeeds. */
export type MakeFile = (request: ServiceRequest) => Promise<Uint8Array>;

/** By the service at a URL. */
export function madeOverHttp(baseUrl: () => string, apiKey: string): MakeFile {
  const headers = { authorization: `Bearer ${apiKey}` };
  return async (request) => {
    const body = formOf(entriesOf(request));
    const path = OPERATION_PATHS[request.operation];
    const answer = await fetch(baseUrl() + path, { method: "POST", headers, body });
    const { download_url } = await answer.json();
    return new Uint8Array(await (await fetch(download_url)).arrayBuffer());
  };
}

/** By `client.fetch` of a page that has `client` on its window. */
export function madeByPage(page: () => Page): MakeFile {
  return async (request) => {
    const path = OPERATION_PATHS[request.operation];
    const entries = entriesOf(request).map(plain);
    const text = await page().evaluate(
      async ({ path, entries }) => {
        const body = new FormData();
        for (const [name, value] of entries) {
          const isText = typeof value === "string";
          body.append(name, isText ? value : new File([Uint8Array.from(value.content)], value.name));
        }
        const answer = await globalThis.client.fetch(path, { method: "POST", body });
        const { download_url } = await answer.json();
        const bytes = new Uint8Array(await (await fetch(download_url)).arrayBuffer());
        return Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
      },
      { path, entries },
    );
    return Uint8Array.from(text, (character) => character.charCodeAt(0));
  };
}

function entriesOf({ title, body }: ServiceRequest) {
  if (body === undefined || !("form" in body)) throw new Error(`"${title}" sends no form`);
  return body.form;
}
