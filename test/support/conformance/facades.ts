import type { Page } from "playwright-core";
import { OPERATION_PATHS } from "../../../src/http/path.ts";
import type { Answer } from "./contract.ts";
import type { ServiceRequest } from "./service-request.ts";

/** An answer, and how its file begins when there is one. */
export interface Outcome extends Answer {
  readonly begins: string;
}

/** How a request reaches what answers it. */
export type Facade = (request: ServiceRequest) => Promise<Outcome>;

/** The ways that a page has: the client's methods, its `fetch`, and the platform's through the service worker. */
export type WayOfPage = "methods" | "client.fetch" | "service worker";

/** Over HTTP, from outside of any browser. */
export function overHttp(baseUrl: string, apiKey: string): Facade {
  const headers = { authorization: `Bearer ${apiKey}` };
  return async ({ operation, method = "POST", body }) => {
    const response = await fetch(baseUrl + OPERATION_PATHS[operation], {
      method,
      headers: { ...headers, ...(body && "text" in body && { "content-type": body.type }) },
      body: body === undefined ? null : "text" in body ? body.text : formOf(body.form),
    });
    const answer = { status: response.status, headers: Object.fromEntries(response.headers) };
    const content = await response.json();
    const url = content.download_url;
    const file = url === undefined ? new ArrayBuffer() : await (await fetch(url, { headers })).arrayBuffer();
    return { ...answer, body: content, begins: Buffer.from(file).toString("latin1", 0, 8) };
  };
}

/** Returns the entries of a request as a form. */
export function formOf(
  entries: readonly (readonly [string, string | { name: string; content: Uint8Array }])[],
): FormData {
  const form = new FormData();
  for (const [name, value] of entries) {
    form.append(
      name,
      typeof value === "string" ? value : new File([Uint8Array.from(value.content)], value.name),
    );
  }
  return form;
}

/** From a page that has `client` on its window. */
export function fromPage(page: () => Page, way: WayOfPage, baseUrl: () => string): Facade {
  return async ({ operation, method = "POST", body }) => {
    const path = OPERATION_PATHS[operation];
    const form = body && "form" in body ? body.form.map(plain) : undefined;
    const text = body && "text" in body ? body : undefined;
    const plan = { way, operation, method, form, text, url: baseUrl() + path };
    return page().evaluate(async ({ way, operation, method, form, text, url }) => {
      const { client } = globalThis;
      const entries = form?.map(([name, value]) => {
        if (typeof value === "string") return [name, value] as const;
        return [name, new File([Uint8Array.from(value.content)], value.name)] as const;
      });

      const byMethod = async () => {
        const headers = { "content-type": "application/json" };
        try {
          const params: Record<string, unknown> = {};
          for (const [name, value] of entries ?? [])
            params[name] = name in params ? [params[name], value].flat() : value;
          const body = await client[operation](params as never);
          return { status: 200, headers, body, url: body.download_url };
        } catch (error) {
          if (!(error instanceof Error) || !("status" in error) || !("toWire" in error)) throw error;
          const wire = Reflect.apply(Object(error.toWire), error, []);
          return { status: Number(error.status), headers, body: { success: false, error: wire }, url: "" };
        }
      };
      const byRequest = async () => {
        const formData = new FormData();
        for (const [name, value] of entries ?? []) formData.append(name, value);
        const body = text?.text ?? (entries && formData) ?? null;
        const init = { method, body, ...(text && { headers: { "content-type": text.type } }) };
        const response = await (way === "client.fetch" ? client.fetch : fetch)(url, init);
        const content = await response.json();
        const headers: Record<string, string> = Object.fromEntries(response.headers);
        return { status: response.status, headers, body: content, url: content.download_url ?? "" };
      };

      const answer = await (way === "methods" ? byMethod() : byRequest());
      const file = answer.url === "" ? new Blob() : await (await fetch(answer.url)).blob();
      const head = new Uint8Array(await file.slice(0, 8).arrayBuffer());
      const { status, headers, body } = answer;
      return { status, headers, body, begins: String.fromCharCode(...head) };
    }, plan);
  };
}

/** Returns an entry as data that a page can get. */
export function plain([name, value]: readonly [string, string | { name: string; content: Uint8Array }]) {
  if (typeof value === "string") return [name, value] as const;
  return [name, { name: value.name, content: [...value.content] }] as const;
}
