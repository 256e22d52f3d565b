import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { Service } from "../../service/http/service.ts";
import { eventually } from "../support/eventually.ts";
import {
  dial,
  errorOf,
  type FormFields,
  DOCUMENT as file,
  jobFolders,
  officeScript,
  postForm,
  received,
  startService,
  WORKING_OFFICE,
} from "../support/started-service.ts";

// The answers of the service.

describe("a conversion", () => {
  test("is answered according to the contract, and its result needs no key", async () => {
    const service = await startService();
    const response = await postForm(service);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("application/json");
    const answer = await response.json();
    expect(answer).toEqual({
      success: true,
      download_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/download\/[\w-]{22}\/%C3%9Cbersicht/),
      file_name: "Übersicht (1).pdf",
    });
    expect(jobFolders(service)).toEqual([]);
    for (const method of ["GET", "HEAD"]) {
      const result = await fetch(answer.download_url, { method });
      expect(result.status).toBe(200);
      expect(Object.fromEntries(result.headers)).toMatchObject({
        "access-control-allow-origin": "*",
        "cache-control": "no-store",
        "content-disposition":
          "attachment; filename=\"_bersicht (1).pdf\"; filename*=UTF-8''%C3%9Cbersicht%20%281%29.pdf",
        "content-length": "13",
        "content-type": "application/pdf",
        "x-content-type-options": "nosniff",
      });
      expect(await result.text()).toBe(method === "GET" ? "%PDF-1.7 made" : "");
    }
    expect(await errorOf(await fetch(answer.download_url.replace(/.(?=\/[^/]*$)/, "_")))).toEqual([
      404,
      "not_found",
      {},
    ]);
  });

  test("has a download URL with the host name of the request", async () => {
    const service = await startService();
    const url = service.url.replace("127.0.0.1", "localhost");
    const response = await postForm({ url }, { file, output_format: "PDF" });
    expect((await response.json()).download_url.startsWith(`${url}/download/`)).toBe(true);
  });

  test("has a result whose download can be resumed", async () => {
    const { download_url } = await (await postForm(await startService())).json();
    const get = (headers: Record<string, string>, method = "GET") => fetch(download_url, { method, headers });
    const whole = await get({});
    const content = await whole.text();
    const etag = whole.headers.get("etag") ?? "";
    const rest = await get({ Range: "bytes=5-", "If-Range": etag });
    expect([rest.status, rest.headers.get("content-range"), await rest.text()]).toEqual([
      206,
      `bytes 5-${content.length - 1}/${content.length}`,
      content.slice(5),
    ]);
    const end = await get({ Range: `bytes=${content.length}-` });
    expect([end.status, end.headers.get("content-range")]).toEqual([416, `bytes */${content.length}`]);
    const other = await get({ Range: "bytes=5-", "If-Range": '"other"' });
    expect([other.status, await other.text()]).toEqual([200, content]);
    expect((await get({ Range: "bytes=5-" }, "HEAD")).headers.get("content-length")).toBe(
      `${content.length}`,
    );
  });

  test("has a result that expires", async () => {
    const service = await startService({ keepFor: 1 });
    const { download_url } = await (await postForm(service)).json();
    await eventually(async () => expect((await fetch(download_url)).status).toBe(404));
    await eventually(() => expect(readdirSync(join(service.folder, "results"))).toEqual([]));
  });

  test("leaves no files when the service is closed", async () => {
    const service = await Service.start({ soffice: officeScript("exec tail -f /dev/null"), key: "secret" });
    const failure = expect(postForm(service)).rejects.toThrow("fetch failed");
    await eventually(() => expect(jobFolders(service)).toHaveLength(1));
    await service.close();
    await failure;
    expect(existsSync(service.folder)).toBe(false);
  });
});

describe("a request that the service refuses", () => {
  test.each<[string, RequestInit]>([
    ["without a key", { headers: {} }],
    ["with another key", { headers: { Authorization: "Bearer other" } }],
    ["with a key of another kind", { headers: { Authorization: "Basic secret" } }],
  ])("with %s", async (_, init) => {
    expect(await errorOf(await postForm(await startService(), undefined, init))).toEqual([
      401,
      "unauthorized",
      {},
    ]);
  });

  test.each<[string, FormFields, unknown]>([
    ["no file", { output_format: "pdf" }, [400, "missing_parameter", { parameter: "file" }]],
    [
      "a text as its file",
      { file: "a", output_format: "pdf" },
      [400, "invalid_parameter", { parameter: "file" }],
    ],
    ["no output format", { file }, [400, "missing_parameter", { parameter: "output_format" }]],
    [
      "no format at all",
      { file, output_format: "banana" },
      [422, "unsupported_conversion", { parameter: "output_format" }],
    ],
    [
      "a wrong selection",
      { file, output_format: "pdf", pages: "1,,2" },
      [400, "invalid_page_selection", { position: 2 }],
    ],
    [
      "an unknown file",
      { file: new File(["text"], "a.docx"), output_format: "pdf" },
      [415, "unsupported_input", {}],
    ],
    [
      "a pair that LibreOffice cannot do",
      { file, output_format: "xlsx" },
      [422, "unsupported_conversion", { from: "docx", to: "xlsx" }],
    ],
  ])("with %s", async (_, fields, expected) => {
    const service = await startService();
    expect(await errorOf(await postForm(service, fields))).toEqual(expected);
    expect(jobFolders(service)).toEqual([]);
  });

  test("with a body that is not a form, or a damaged form", async () => {
    const service = await startService();
    const send = (body: string, type: string) =>
      postForm(service, {}, { body, headers: { Authorization: "Bearer secret", "Content-Type": type } });
    expect(await errorOf(await send("{}", "application/json"))).toEqual([415, "unsupported_input", {}]);
    expect(await errorOf(await send("a", "multipart/form-data"))).toEqual([415, "unsupported_input", {}]);
    for (const body of ["", "--b\r\nContent-Disposition: form-data; name=a\r\n\r\ncut"]) {
      expect(await errorOf(await send(body, "multipart/form-data; boundary=b"))).toEqual([
        400,
        "invalid_parameter",
        { parameter: "body" },
      ]);
    }
  });

  test("with too many fields or files", async () => {
    const service = await startService();
    const many = Object.fromEntries(Array.from({ length: 40_010 }, (_, index) => [`field${index}`, ""]));
    expect(await errorOf(await postForm(service, many))).toEqual([
      400,
      "invalid_parameter",
      { parameter: "body" },
    ]);
    const long = { file, output_format: "pdf", password: "a".repeat(9_000_000) };
    expect(await errorOf(await postForm(service, long))).toEqual([
      400,
      "invalid_parameter",
      { parameter: "body" },
    ]);
  });

  test("with too large a file is answered before the file is read", async () => {
    const service = await startService({ uploadLimit: 1_000_000 });
    const large = new File([new Uint8Array(3_000_000)], "a.docx");
    expect(await errorOf(await postForm(service, { file: large, output_format: "pdf" }))).toEqual([
      413,
      "input_too_large",
      { largest_size: 1_000_000 },
    ]);
    expect(jobFolders(service)).toEqual([]);
  });

  test("to another path, or with another method", async () => {
    const service = await startService();
    for (const path of [
      "/",
      "/api/other",
      "/api/convert/",
      "/download/",
      "/download/a",
      "/download/a/../b",
    ]) {
      const response = await fetch(service.url + path, { method: "POST" });
      expect([path, await errorOf(response)]).toEqual([path, [404, "not_found", {}]]);
    }
    const wrong = await fetch(`${service.url}/api/convert`);
    expect(wrong.headers.get("allow")).toBe("POST, OPTIONS");
    expect(await errorOf(wrong)).toEqual([405, "method_not_allowed", {}]);
    const put = await fetch(`${service.url}/download/a/b`, { method: "PUT" });
    expect([put.status, put.headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
  });
});

test("returns 404 for an invalid path", async () => {
  const service = await startService({ onFailure: (thrown) => expect(thrown).toBeUndefined() });
  for (const path of ["//", "http://["]) {
    const socket = dial(service);
    socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
    expect(await received(socket)).toMatch(/^HTTP\/1\.1 404 .*"not_found"/s);
  }
});

test("refuses to start with a key that is empty or that a header cannot carry", async () => {
  for (const key of ["", "two words", "schlüssel"]) {
    await expect(Service.start({ soffice: WORKING_OFFICE, key })).rejects.toThrow("the key must have");
  }
});

test("a page of another origin can call it with a key", async () => {
  const service = await startService();
  const preflight = await fetch(`${service.url}/api/convert`, { method: "OPTIONS" });
  expect(preflight.status).toBe(204);
  expect(Object.fromEntries(preflight.headers)).toMatchObject({
    "access-control-allow-origin": "*",
    "access-control-allow-headers": expect.stringContaining("Authorization"),
    "access-control-expose-headers": expect.stringContaining("Retry-After"),
  });
  const refused = await postForm(service, {}, { headers: {} });
  expect(refused.headers.get("access-control-allow-origin")).toBe("*");
});
