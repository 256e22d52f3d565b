import { afterAll, describe, expect, test } from "vitest";
import { createClient } from "../../src/index.ts";
import { makePdf } from "../support/fixtures/pdf.ts";

const BASE = "https://service.example/pdf";
const URL_OF_SPLIT = `${BASE}/api/split-pdf`;

const client = createClient({ baseUrl: BASE });
afterAll(() => client.close());

function form(): FormData {
  const form = new FormData();
  form.append("file", new File([makePdf({ pages: 3 })], "three.pdf"));
  form.append("pages", "1,last");
  return form;
}

/** A form as it travels, in pieces. */
function streamed(): RequestInit {
  const request = new Request(URL_OF_SPLIT, { method: "POST", body: form() });
  const headers = { "content-type": request.headers.get("content-type") ?? "" };
  return Object.assign({ method: "POST", headers, body: request.body }, { duplex: "half" });
}

describe("client.fetch in a browser", () => {
  test.each<[string, () => Promise<Response>]>([
    ["a form", () => client.fetch(URL_OF_SPLIT, { method: "POST", body: form() })],
    ["a Request", () => client.fetch(new Request(URL_OF_SPLIT, { method: "POST", body: form() }))],
    ["a stream", () => client.fetch(URL_OF_SPLIT, streamed())],
  ])("answers %s", async (_, send) => {
    const response = await send();
    expect(response).toMatchObject({ status: 200, url: URL_OF_SPLIT, type: "cors", redirected: false });
    const clone = response.clone();
    expect(clone.url).toBe(URL_OF_SPLIT);
    const result = await response.json();
    expect(result).toMatchObject({ success: true, file_name: "split-three.zip" });
    expect(await clone.json()).toEqual(result);
    expect((await (await client.fetch(result.download_url)).blob()).type).toBe("application/zip");
  });

  test("accepts a URL relative to the page", async () => {
    const here = createClient();
    const response = await here.fetch("/api/convert", { method: "POST", body: new FormData() });
    expect(response).toMatchObject({ status: 400, url: `${location.origin}/api/convert`, type: "basic" });
    here.close();
  });

  test.each(["init", "a Request"])("rejects with the reason of a signal in %s", async (place) => {
    const controller = new AbortController();
    const { signal } = controller;
    const init = { method: "POST", body: form(), signal };
    const answer =
      place === "init" ? client.fetch(URL_OF_SPLIT, init) : client.fetch(new Request(URL_OF_SPLIT, init));
    const reason = { why: "never mind" };
    controller.abort(reason);
    await expect(answer).rejects.toBe(reason);
  });
});
