import { resolveObjectURL } from "node:buffer";
import { describe, expect, test, vi } from "vitest";
import {
  BASE,
  errorOf,
  formOf,
  multipart,
  PAGE,
  pdf,
  setUp,
  setUpOnPage,
  unlock,
} from "../../../support/fake-fetch.ts";
import { done } from "../../../support/fake-worker.ts";

describe("a request to the service", () => {
  test.each([
    ["convert", { file: pdf, output_format: "pdf", pages: "1-" }, "pdf/repair", "report.pdf"],
    [
      "protect-pdf",
      { file: pdf, password: "a", permissions: "print, copy" },
      "pdf/protect",
      "protected-report.pdf",
    ],
    ["unlock-pdf", { file: pdf, password: "" }, "pdf/unlock", "unlocked-report.pdf"],
    ["split-pdf", { file: pdf, pages: "1,3-5", utf8: "✓" }, "pdf/split", "split-report.zip"],
    ["merge-pdf", { file: [pdf, pdf], pages: ["1", "2"] }, "pdf/merge", "merged-report.pdf"],
  ])("%s is answered like the service does", async (operation, fields, engine, fileName) => {
    const { fetch, factory, platform } = setUp();
    const url = `${BASE}/api/${operation}?trace=1#top`;
    const answer = fetch(url, { method: "POST", body: formOf(fields) });
    const { job, finish } = await factory.job(0);
    expect(job.engine).toBe(engine);
    expect(await job.file.text()).toBe("%PDF-1.7\n");
    finish(done("made"));

    const response = await answer;
    expect(response).toBeInstanceOf(Response);
    expect(response).toMatchObject({
      status: 200,
      ok: true,
      type: "cors",
      url: `${BASE}/api/${operation}?trace=1`,
    });
    expect(response.clone().url).toBe(response.url);
    expect(response.headers.get("content-type")).toBe("application/json");
    const text = await response.clone().text();
    expect(response.headers.get("content-length")).toBe(String(new TextEncoder().encode(text).length));
    const result = await response.json();
    expect(result).toEqual({
      success: true,
      download_url: expect.stringMatching(/^blob:/),
      file_name: fileName,
    });
    expect(await resolveObjectURL(result.download_url)?.text()).toBe("made");
    expect(platform).not.toHaveBeenCalled();
  });

  test.each<[string, () => [RequestInfo | URL, RequestInit?]]>([
    ["a URL and init", () => [new URL(`${BASE}/api/unlock-pdf`), { method: "POST", body: unlock() }]],
    ["a Request", () => [new Request(`${BASE}/api/unlock-pdf`, { method: "POST", body: unlock() })]],
    [
      "a Request and a body for it",
      () => [new Request(`${BASE}/api/unlock-pdf`), { method: "post", body: unlock() }],
    ],
    [
      "a Request for init",
      () => [
        `${BASE}/api/unlock-pdf`,
        new Request("https://any.example", { method: "POST", body: unlock() }) as RequestInit,
      ],
    ],
    [
      "bytes",
      () => {
        const { headers, text } = multipart();
        return [`${BASE}/api/unlock-pdf`, { method: "POST", headers, body: Buffer.from(text) }];
      },
    ],
  ])("is accepted as %s", async (_, args) => {
    const { fetch, factory } = setUp();
    const answer = fetch(...args());
    const { job, finish } = await factory.job(0);
    expect(job).toMatchObject({ engine: "pdf/unlock", password: "key" });
    expect(await job.file.text()).toBe("%PDF-1.7\n");
    finish(done("made"));
    expect(await (await answer).json()).toMatchObject({ file_name: "unlocked-report.pdf" });
  });

  test("may have a double slash after the base", async () => {
    const baseUrl = "https://SERVICE.example:443/";
    const { fetch, platform } = setUp({ baseUrl });
    const response = await fetch(`${baseUrl}/api/split-pdf`, { method: "POST", body: new FormData() });
    expect(await errorOf(response)).toMatchObject({ code: "missing_parameter" });
    expect(platform).not.toHaveBeenCalled();
  });

  test("copies the form at once, so that the caller can change it", async () => {
    const { fetch, factory } = setUp();
    const form = unlock();
    const answers = [fetch(`${BASE}/api/unlock-pdf`, { method: "POST", body: form })];
    form.set("password", "other");
    answers.push(fetch(`${BASE}/api/unlock-pdf`, { method: "POST", body: form }));
    const jobs = [await factory.job(0), await factory.job(1)];
    expect(jobs.map(({ job }) => "password" in job && job.password)).toEqual(["key", "other"]);
    for (const { finish } of jobs) finish(done("made"));
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200]);
  });

  test("is answered with the status and the error of a failed operation", async () => {
    const { fetch, factory } = setUp();
    const answer = fetch(`${BASE}/api/unlock-pdf`, { method: "POST", body: unlock() });
    const error = { code: "wrong_password", message: "Wrong.", details: { tried: 1 } } as const;
    (await factory.job(0)).finish({ ok: false, error });
    const response = await answer;
    expect(response.status).toBe(422);
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(await response.json()).toEqual({ success: false, error });
  });
});

describe("a form of a page that is not in UTF-8", () => {
  const send = async (password: string) => {
    const { headers, text } = multipart();
    const body = Buffer.from(text.replace("key", password), "latin1");
    const response = await setUp().fetch(`${BASE}/api/protect-pdf`, { method: "POST", headers, body });
    return response.json();
  };

  test("is refused for a password with bytes that are no UTF-8, for which parsers put another character", async () => {
    const { error } = await send("Z\xfcrich");
    expect(error).toMatchObject({ code: "invalid_parameter", details: { parameter: "password" } });
    expect(error.message).toContain('<meta charset="utf-8">');
    expect(error.message).not.toContain("rich");
  });

  test("may have a password with what browsers put for a character that the encoding lacks", async () => {
    const { headers, text } = multipart();
    const { fetch, factory } = setUp();
    const body = text.replace("key", "&#1234;");
    const answer = fetch(`${BASE}/api/protect-pdf`, { method: "POST", headers, body });
    const { job, finish } = await factory.job(0);
    expect(job).toMatchObject({ password: "&#1234;" });
    finish(done("made"));
    expect((await answer).status).toBe(200);
  });

  test("may have changed fields that the operation does not read", async () => {
    const { headers, text } = multipart();
    const comment = '--edge\r\nContent-Disposition: form-data; name="comment"\r\n\r\n\ufffd\r\n';
    const { fetch, factory } = setUp();
    const answer = fetch(`${BASE}/api/protect-pdf`, { method: "POST", headers, body: comment + text });
    (await factory.job(0)).finish(done("made"));
    expect((await answer).status).toBe(200);
  });
});

describe("another request", () => {
  test.each<[string, unknown[]]>([
    ["another origin", ["https://other.example/api/convert", { method: "POST", body: unlock() }]],
    ["another path", [`${BASE}/download/1/a.pdf`]],
    ["a path that only begins like it", [`${BASE}/apis/convert`]],
    ["the same path beside the base", ["https://service.example/api/convert", undefined]],
    ["a Request", [new Request("https://other.example/", { method: "POST", body: "a" }), { mode: "cors" }]],
    ["a URL", [new URL("https://other.example/"), {}]],
    ["no URL", ["https://", {}, "more"]],
  ])("goes to the platform unchanged: %s", async (_, args) => {
    const { fetch, platform } = setUp();
    const answer = Reflect.apply(fetch, undefined, args);
    expect(platform.mock.calls).toEqual([args]);
    expect(platform.mock.calls[0]?.every((arg, index) => arg === args[index])).toBe(true);
    const [input] = args;
    if (input instanceof Request) expect(input.bodyUsed).toBe(false);
    expect(await (await answer).text()).toBe("from the network");
  });
});

describe("without a baseUrl", () => {
  test("only the paths of the operations under the page's origin are answered", async () => {
    const { fetch, platform } = setUpOnPage();
    for (const operation of ["convert", "protect-pdf", "unlock-pdf", "split-pdf"]) {
      const response = await fetch(`${PAGE}/api/${operation}`, { method: "POST", body: new FormData() });
      expect(await errorOf(response)).toMatchObject({ status: 400, code: "missing_parameter" });
      expect(response.type).toBe("basic");
    }
    expect((await fetch(`${PAGE}/api/convert`)).status).toBe(405);
    expect(platform).not.toHaveBeenCalled();
    for (const url of [`${PAGE}/api/users`, `${PAGE}/tools/api/convert`, `${BASE}/api/convert`]) {
      expect(await (await fetch(url)).text()).toBe("from the network");
    }
    expect(platform).toHaveBeenCalledTimes(3);
  });

  test("nothing is answered without an origin or a page", async () => {
    vi.stubGlobal("location", new URL("file:///home/me/index.html"));
    const onDisk = setUp({});
    expect(await (await onDisk.fetch("file:///api/convert")).text()).toBe("from the network");
    vi.stubGlobal("location", undefined);
    const nowhere = setUp({});
    expect(await (await nowhere.fetch("https://a.example/api/convert")).text()).toBe("from the network");
  });
});
