import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import { ERROR_STATUS, type ErrorCode } from "../../../../src/shared/errors.ts";
import { BASE, errorOf, formOf, multipart, pdf, setUp, unlock } from "../../../support/fake-fetch.ts";

describe("a wrong request is answered with an error", () => {
  const post = (body: BodyInit | null, headers: HeadersInit = {}) => ({ method: "POST", body, headers });
  const form = formOf({ file: pdf, pages: "1" });
  const notChosen = formOf({ file: new File([], ""), pages: "1" });
  const { headers, text } = multipart();
  const noBoundary = { "content-type": "multipart/form-data; charset=utf-8" };

  test.each<[string, RequestInit, ErrorCode, object]>([
    ["no body", post(null), "unsupported_input", {}],
    ["a form without fields", post(new FormData()), "missing_parameter", { parameter: "file" }],
    ["a URL-encoded form", post(new URLSearchParams("pages=1")), "unsupported_input", {}],
    ["bytes of no type", post(Uint8Array.of(1)), "unsupported_input", {}],
    ["a text without a boundary", post("--a--", noBoundary), "unsupported_input", {}],
    ["a form whose header names no boundary", post(form, noBoundary), "unsupported_input", {}],
    ["a form that is cut off", post(text.slice(0, -20), headers), "invalid_parameter", { parameter: "body" }],
    [
      "a field twice",
      post(formOf({ file: pdf, pages: ["1", "2"] })),
      "invalid_parameter",
      { parameter: "pages" },
    ],
    ["a file that nobody chose", post(notChosen), "missing_parameter", { parameter: "file" }],
    ["GET", {}, "method_not_allowed", {}],
    ["PUT", { method: "PUT", body: form }, "method_not_allowed", {}],
  ])("%s", async (_, init, code, details) => {
    const { fetch, factory, platform } = setUp();
    const response = await fetch(`${BASE}/api/split-pdf`, init);
    const status = ERROR_STATUS[code];
    expect(response.headers.get("allow")).toBe(status === 405 ? "POST, OPTIONS" : null);
    expect(await errorOf(response)).toEqual({ status, code, details });
    expect(platform).not.toHaveBeenCalled();
    expect(factory.workers).toHaveLength(0);
  });

  test.each(["fold-pdf", "split-pdf/"])("the path %s", async (path) => {
    const response = await setUp().fetch(`${BASE}/api/${path}`, post(form));
    expect(await errorOf(response)).toEqual({ status: 404, code: "not_found", details: {} });
  });

  test("a body that is no form, and the error says what an HTML form needs", async () => {
    const response = await setUp().fetch(`${BASE}/api/split-pdf`, post(new URLSearchParams({ pages: "1" })));
    expect((await response.json()).error.message).toContain('enctype="multipart/form-data"');
  });

  test("HEAD is answered without a body, OPTIONS with the methods", async () => {
    const { fetch } = setUp();
    const head = await fetch(`${BASE}/api/convert`, { method: "HEAD" });
    expect([head.status, head.headers.get("allow"), await head.text()]).toEqual([405, "POST, OPTIONS", ""]);
    const options = await fetch(`${BASE}/api/convert`, { method: "OPTIONS" });
    expect([options.status, options.headers.get("allow")]).toEqual([204, "POST, OPTIONS"]);
    expect((await fetch(`${BASE}/api/any`, { method: "OPTIONS" })).status).toBe(404);
  });

  test("a request that no platform sends rejects like in the platform", async () => {
    const { fetch, platform } = setUp();
    const url = `${BASE}/api/convert`;
    await expect(fetch(url, { body: form })).rejects.toBeInstanceOf(TypeError);
    await expect(fetch(url, { method: "a b" })).rejects.toBeInstanceOf(TypeError);
    const used = new Request(url, { method: "POST", body: form });
    await used.text();
    await expect(fetch(used)).rejects.toBeInstanceOf(TypeError);
    expect(platform).not.toHaveBeenCalled();
  });
});

describe("aborting rejects with the signal's reason", () => {
  setFlagsFromString("--expose-gc");
  const collectGarbage: () => void = runInNewContext("gc");
  const reason = new Error("never mind");

  test.each<[string, (signal: AbortSignal) => [RequestInfo, RequestInit?]]>([
    ["init", (signal) => [`${BASE}/api/unlock-pdf`, { method: "POST", body: unlock(), signal }]],
    [
      "a Request",
      (signal) => [new Request(`${BASE}/api/unlock-pdf`, { method: "POST", body: unlock(), signal })],
    ],
  ])("by %s", async (_, args) => {
    const before = setUp();
    await expect(before.fetch(...args(AbortSignal.abort(reason)))).rejects.toBe(reason);
    expect(before.factory.workers).toHaveLength(0);

    const { fetch, factory } = setUp();
    const controller = new AbortController();
    const answer = fetch(...args(controller.signal));
    const { worker } = await factory.job(0);
    collectGarbage();
    controller.abort(reason);
    await expect(answer).rejects.toBe(reason);
    expect(worker.hasEnded).toBe(true);
  });

  test("while the form is read", async () => {
    const { fetch, factory } = setUp();
    const controller = new AbortController();
    let started = () => {};
    const reading = new Promise<void>((resolve) => {
      started = resolve;
    });
    const endless = new ReadableStream({ pull: () => started() }, { highWaterMark: 0 });
    const answer = fetch(`${BASE}/api/unlock-pdf`, {
      ...{ method: "POST", headers: multipart().headers, body: endless, duplex: "half" },
      signal: controller.signal,
    });
    await reading;
    controller.abort(reason);
    await expect(answer).rejects.toBe(reason);
    expect(factory.workers).toHaveLength(0);
  });

  test("a closed client answers client_closed, and passes other requests on", async () => {
    const { fetch, client, platform } = setUp();
    client.close();
    const answer = await fetch(`${BASE}/api/unlock-pdf`, { method: "POST", body: unlock() });
    expect(answer.status).toBe(503);
    expect(await answer.json()).toMatchObject({ success: false, error: { code: "client_closed" } });
    await fetch("https://other.example/");
    expect(platform).toHaveBeenCalledOnce();
  });
});
