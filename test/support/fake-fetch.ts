import { expect, onTestFinished, vi } from "vitest";
import type { ClientOptions } from "../../src/index.ts";
import { setUp as setUpClient } from "./fake-client.ts";

export const BASE = "https://service.example/pdf";
export const PAGE = "https://app.example";
export const pdf = new File(["%PDF-1.7\n"], "report.pdf", { type: "application/pdf" });

/** Makes a client with fake workers for one test, on a platform whose own `fetch` only says that it was called. */
export function setUp(options: ClientOptions = { baseUrl: BASE }) {
  const platform = vi.fn(async (..._args: unknown[]) => new Response("from the network"));
  vi.stubGlobal("fetch", platform);
  onTestFinished(() => void vi.unstubAllGlobals());
  const { client, factory } = setUpClient(options);
  return { fetch: client.fetch, client, factory, platform };
}

/** On a page, whose origin is the base when the client has none. */
export function setUpOnPage() {
  vi.stubGlobal("location", new URL(`${PAGE}/tools/index.html`));
  return setUp({});
}

/** Returns a form with those fields. A list repeats its field. */
export function formOf(
  fields: Readonly<Record<string, string | Blob | readonly (string | Blob)[]>>,
): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    for (const one of [value].flat()) form.append(name, one);
  }
  return form;
}

/** Returns a form for `unlock-pdf`. */
export const unlock = () => formOf({ file: pdf, password: "key" });

/** Returns the error of a response, and checks that the response has nothing else. */
export async function errorOf(response: Response) {
  const body = await response.json();
  expect(Object.keys(body)).toEqual(["success", "error"]);
  expect(body.success).toBe(false);
  expect(Object.keys(body.error)).toEqual(["code", "message", "details"]);
  return { status: response.status, code: body.error.code, details: body.error.details };
}

/** Returns a form for `unlock-pdf` as its bytes. */
export function multipart(): { headers: Record<string, string>; text: string } {
  const part = (disposition: string, content: string) =>
    `--edge\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${content}\r\n`;
  return {
    headers: { "content-type": "multipart/form-data; boundary=edge" },
    text: `${part('name="file"; filename="report.pdf"', "%PDF-1.7\n")}${part('name="password"', "key")}--edge--\r\n`,
  };
}
