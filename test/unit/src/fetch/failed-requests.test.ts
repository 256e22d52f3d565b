import { describe, expect, test } from "vitest";
import { BASE, errorOf, formOf, multipart, pdf, setUp, unlock } from "../../../support/fake-fetch.ts";

test("the error for a body that is no form says what an HTML form needs", async () => {
  const body = new URLSearchParams({ pages: "1" });
  const response = await setUp().fetch(`${BASE}/api/split-pdf`, { method: "POST", body });
  const { error } = await response.json();
  expect(error.message).toContain('enctype="multipart/form-data"');
});

describe("a wrong request is answered with an error", () => {
  const post = (body: BodyInit | null, headers: HeadersInit = {}) => ({ method: "POST", body, headers });
  const split = formOf({ file: pdf, pages: "1" });
  const twice = formOf({ file: pdf, pages: "1" });
  twice.append("pages", "2");

  test.each<[string, string, RequestInit, number, string, object]>([
    ["no body", "unlock-pdf", post(null), 415, "unsupported_input", {}],
    [
      "a form without fields",
      "unlock-pdf",
      post(new FormData()),
      400,
      "missing_parameter",
      { parameter: "file" },
    ],
    ["an empty body", "unlock-pdf", post(""), 415, "unsupported_input", {}],
    ["JSON", "unlock-pdf", post("{}", { "content-type": "application/json" }), 415, "unsupported_input", {}],
    ["a URL-encoded form", "split-pdf", post(new URLSearchParams("pages=1")), 415, "unsupported_input", {}],
    ["text", "split-pdf", post("pages=1"), 415, "unsupported_input", {}],
    ["bytes of no type", "split-pdf", post(Uint8Array.of(1)), 415, "unsupported_input", {}],
    ["a file that is no form", "split-pdf", post(pdf), 415, "unsupported_input", {}],
    [
      "a form whose content-type names no boundary",
      "split-pdf",
      post(split, { "content-type": "multipart/form-data" }),
      ...[415, "unsupported_input", {}],
    ] as never,
    [
      "a form that is cut off",
      "unlock-pdf",
      post(multipart().text.slice(0, -20), multipart().headers),
      ...[400, "invalid_parameter", { parameter: "body" }],
    ] as never,
    ["a field twice", "split-pdf", post(twice), 400, "invalid_parameter", { parameter: "pages" }],
    [
      "a file that nobody chose",
      "split-pdf",
      post(formOf({ file: new File([], ""), pages: "1" })),
      ...[400, "missing_parameter", { parameter: "file" }],
    ] as never,
    [
      "a text for a file",
      "split-pdf",
      post(formOf({ file: "report.pdf", pages: "1" })),
      ...[400, "invalid_parameter", { parameter: "file" }],
    ] as never,
    [
      "pages that are none",
      "split-pdf",
      post(formOf({ file: pdf, pages: "1,x" })),
      ...[400, "invalid_page_selection", { position: 2 }],
    ] as never,
    ["an unknown path", "fold-pdf", post(split), 404, "not_found", {}],
    ["a path below", "split-pdf/", post(split), 404, "not_found", {}],
    ["GET", "split-pdf", {}, 405, "method_not_allowed", {}],
    ["PUT", "split-pdf", { method: "PUT", body: split }, 405, "method_not_allowed", {}],
  ])("%s", async (_, path, init, status, code, details) => {
    const { fetch, factory, platform } = setUp();
    const response = await fetch(`${BASE}/api/${path}`, init);
    expect(response.headers.get("allow")).toBe(status === 405 ? "POST, OPTIONS" : null);
    expect(await errorOf(response)).toEqual({ status, code, details });
    expect(platform).not.toHaveBeenCalled();
    expect(factory.workers).toHaveLength(0);
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
    await expect(fetch(url, { body: split })).rejects.toBeInstanceOf(TypeError);
    await expect(fetch(url, { method: "a b" })).rejects.toBeInstanceOf(TypeError);
    const used = new Request(url, { method: "POST", body: split });
    await used.text();
    await expect(fetch(used)).rejects.toBeInstanceOf(TypeError);
    expect(platform).not.toHaveBeenCalled();
  });
});

describe("aborting rejects with the signal's reason", () => {
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
