import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { request as httpRequest } from "node:http";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { Service, type ServiceOptions } from "../../demo/service/service.ts";
import { receiveUpload } from "../../demo/service/upload.ts";
import { eventually } from "../support/eventually.ts";
import { docx } from "../support/fixtures/office/documents.ts";
import { Scratch } from "../support/native-tools.ts";

// The HTTP part of the service. A script replaces LibreOffice.

const scratch = new Scratch();
afterAll(() => scratch.remove());

/** A script that gets the arguments of LibreOffice; `$last` is the input, `$out` the folder of the result. */
function office(body: string): string {
  const path = scratch.path("soffice");
  writeFileSync(
    path,
    `#!/bin/sh\nfor last; do :; done\nfor a; do [ "$p" = --outdir ] && out=$a; p=$a; done\n${body}\n`,
  );
  chmodSync(path, 0o755);
  return path;
}

const WORKS = office('printf "%%PDF-1.7 made" > "$out/input.pdf"');
const HANGS = office("exec tail -f /dev/null");

async function start(options: Partial<ServiceOptions> = {}): Promise<Service> {
  const service = await Service.start({ soffice: WORKS, key: "secret", ...options });
  onTestFinished(() => service.close());
  return service;
}

const file = new File([docx(["One"])], "Übersicht (1).docx");

function post(
  service: Service,
  fields: Readonly<Record<string, string | Blob>> = { file, output_format: "pdf" },
  init: RequestInit = {},
): Promise<Response> {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.append(name, value);
  const headers = { Authorization: "Bearer secret" };
  return fetch(`${service.url}/api/convert`, { method: "POST", headers, body, ...init });
}

/** The folders of the service's jobs. */
function jobs(service: Service): string[] {
  return readdirSync(service.folder).filter((name) => name.startsWith("job-"));
}

async function errorOf(response: Response): Promise<unknown> {
  const body = await response.json();
  expect(Object.keys(body)).toEqual(["success", "error"]);
  expect(body.success).toBe(false);
  expect(Object.keys(body.error)).toEqual(["code", "message", "details"]);
  return [response.status, body.error.code, body.error.details];
}

describe("a conversion", () => {
  test("is answered as the contract says, and its result needs no key", async () => {
    const service = await start();
    const response = await post(service);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("application/json");
    const answer = await response.json();
    expect(answer).toEqual({
      success: true,
      download_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/download\/[\w-]{22}\/%C3%9Cbersicht/),
      file_name: "Übersicht (1).pdf",
    });
    expect(jobs(service)).toEqual([]);
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
    const service = await start();
    const url = service.url.replace("127.0.0.1", "localhost");
    const body = new FormData();
    body.append("file", file);
    body.append("output_format", "PDF");
    const response = await fetch(`${url}/api/convert`, {
      method: "POST",
      headers: { Authorization: "Bearer secret" },
      body,
    });
    expect((await response.json()).download_url.startsWith(`${url}/download/`)).toBe(true);
  });

  test("has a result that expires", async () => {
    const service = await start({ keepFor: 1 });
    const { download_url } = await (await post(service)).json();
    await eventually(async () => expect((await fetch(download_url)).status).toBe(404));
    await eventually(() => expect(readdirSync(service.folder)).toEqual([]));
  });

  test("leaves no files when the service is closed", async () => {
    const service = await Service.start({ soffice: HANGS, key: "secret" });
    const call = post(service);
    await eventually(() => expect(jobs(service)).toHaveLength(1));
    await service.close();
    await expect(call).rejects.toThrow("fetch failed");
    await eventually(() => expect(existsSync(service.folder)).toBe(false));
  });
});

describe("a request that the service refuses", () => {
  test.each<[string, RequestInit]>([
    ["without a key", { headers: {} }],
    ["with another key", { headers: { Authorization: "Bearer other" } }],
    ["with a key of another kind", { headers: { Authorization: "Basic secret" } }],
  ])("with %s", async (_, init) => {
    expect(await errorOf(await post(await start(), undefined, init))).toEqual([401, "unauthorized", {}]);
  });

  test.each<[string, Record<string, string | Blob>, unknown]>([
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
      "a pair without an office format",
      { file: new File(["%PDF-1.7"], "a.docx"), output_format: "jpg" },
      [422, "unsupported_conversion", { from: "pdf", to: "jpg" }],
    ],
    [
      "a pair that LibreOffice cannot do",
      { file, output_format: "xlsx" },
      [422, "unsupported_conversion", { from: "docx", to: "xlsx" }],
    ],
  ])("with %s", async (_, fields, expected) => {
    const service = await start();
    expect(await errorOf(await post(service, fields))).toEqual(expected);
    expect(jobs(service)).toEqual([]);
  });

  test("with a body that is not a form, or a damaged form", async () => {
    const service = await start();
    const send = (body: string, type: string) =>
      post(service, {}, { body, headers: { Authorization: "Bearer secret", "Content-Type": type } });
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
    const service = await start();
    const many = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`field${index}`, ""]));
    expect(await errorOf(await post(service, many))).toEqual([
      400,
      "invalid_parameter",
      { parameter: "body" },
    ]);
    const two = { file, other: file, output_format: "pdf" };
    expect(await errorOf(await post(service, two))).toEqual([
      400,
      "invalid_parameter",
      { parameter: "body" },
    ]);
    const long = { file, output_format: "pdf", password: "a".repeat(100_000) };
    expect(await errorOf(await post(service, long))).toEqual([
      400,
      "invalid_parameter",
      { parameter: "body" },
    ]);
  });

  test("with too large a file is answered before the file is read", async () => {
    const service = await start({ uploadLimit: 1_000_000 });
    const large = new File([new Uint8Array(3_000_000)], "a.docx");
    expect(await errorOf(await post(service, { file: large, output_format: "pdf" }))).toEqual([
      413,
      "input_too_large",
      { limit: 1_000_000 },
    ]);
    expect(jobs(service)).toEqual([]);
  });

  test("to another path, or with another method", async () => {
    const service = await start();
    for (const path of [
      "/",
      "/api/split-pdf",
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
  const service = await start({ onFailure: (thrown) => expect(thrown).toBeUndefined() });
  for (const path of ["//", "http://["]) {
    const socket = dial(service);
    socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
    expect(await received(socket)).toMatch(/^HTTP\/1\.1 404 .*"not_found"/s);
  }
});

test("disconnects a refused sender that continues to send", async () => {
  const service = await start({ uploadLimit: 1_000_000 });
  const socket = dial(service);
  socket.write("POST /api/convert HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n");
  const sendOn = () => {
    while (socket.writable && socket.write(`10000\r\n${"a".repeat(65_536)}\r\n`));
  };
  socket.on("drain", sendOn);
  sendOn();
  await received(socket);
});

test("refuses to start with a key that is empty or that a header cannot carry", async () => {
  for (const key of ["", "two words", "schlüssel"]) {
    await expect(Service.start({ soffice: WORKS, key })).rejects.toThrow("the key must have");
  }
});

test("a page of another origin can call it with a key", async () => {
  const service = await start();
  const preflight = await fetch(`${service.url}/api/convert`, { method: "OPTIONS" });
  expect(preflight.status).toBe(204);
  expect(Object.fromEntries(preflight.headers)).toMatchObject({
    "access-control-allow-origin": "*",
    "access-control-allow-headers": expect.stringContaining("Authorization"),
    "access-control-expose-headers": expect.stringContaining("Retry-After"),
  });
  const refused = await post(service, {}, { headers: {} });
  expect(refused.headers.get("access-control-allow-origin")).toBe("*");
});

describe("LibreOffice", () => {
  test("is killed with its child processes after the time limit", async () => {
    const pids = scratch.path("pids");
    const soffice = office(`tail -f /dev/null & echo $$ $! > ${pids}; wait`);
    const service = await start({ soffice, timeLimit: 2_000 });
    expect(await errorOf(await post(service))).toEqual([504, "timeout", { timeout: 2_000 }]);
    const started = readFileSync(pids, "utf8").trim().split(" ").map(Number);
    expect(started).toHaveLength(2);
    await eventually(() => expect(started.filter(isRunning)).toEqual([]));
    expect(jobs(service)).toEqual([]);
  });

  test("is killed when the caller disconnects", async () => {
    const pids = scratch.path("pids");
    const service = await start({ soffice: office(`echo $$ > ${pids}; exec tail -f /dev/null`) });
    const controller = new AbortController();
    const call = post(service, undefined, { signal: controller.signal });
    await eventually(() => expect(readFileSync(pids, "utf8").trim()).not.toBe(""));
    controller.abort();
    await expect(call).rejects.toMatchObject({ name: "AbortError" });
    await eventually(() => expect(isRunning(Number(readFileSync(pids, "utf8")))).toBe(false));
    await eventually(() => expect(jobs(service)).toEqual([]));
  });

  test("that makes no file means damaged_file", async () => {
    const service = await start({ soffice: office('echo "Error: source file could not be loaded" >&2') });
    const [status, code] = (await errorOf(await post(service))) as unknown[];
    expect([status, code]).toEqual([422, "damaged_file"]);
  });

  test("that is not installed means internal_error and is reported to the operator", async () => {
    const onFailure = vi.fn();
    const service = await start({ soffice: scratch.path("nowhere"), onFailure });
    expect(await errorOf(await post(service))).toEqual([500, "internal_error", {}]);
    expect(onFailure).toHaveBeenCalledWith(expect.objectContaining({ code: "ENOENT" }));
  });

  test("gets a new profile each time", async () => {
    const seen = scratch.path("seen");
    const soffice = office(`echo "$1" >> ${seen}; printf x > "$out/input.pdf"`);
    const service = await start({ soffice });
    await Promise.all([post(service), post(service)]);
    const profiles = readFileSync(seen, "utf8").trim().split("\n");
    expect(new Set(profiles).size).toBe(2);
    for (const profile of profiles) expect(profile).toMatch(/^-env:UserInstallation=file:\/\/\//);
  });
});

test("runs few conversions, queues a few more and refuses the rest", async () => {
  const pids = scratch.path("pids");
  const soffice = office(`echo $$ >> ${pids}; exec tail -f /dev/null`);
  const service = await start({ soffice, concurrency: 1, waiting: 1 });
  const started = () => (existsSync(pids) ? readFileSync(pids, "utf8").trim().split("\n") : []);
  const [first, second] = [new AbortController(), new AbortController()];
  const calls = [post(service, undefined, { signal: first.signal })];
  await eventually(() => expect(started()).toHaveLength(1));
  // Complete uploads take places in order, so one of these two gets none.
  calls.push(post(service, undefined, { signal: second.signal }));
  calls.push(post(service, undefined, { signal: second.signal }));
  const ended = Promise.allSettled(calls);
  const refused = await Promise.race(calls);
  expect(refused.headers.get("retry-after")).toBe("5");
  expect(await errorOf(refused)).toEqual([429, "rate_limited", { retry_after: 5 }]);

  expect(started()).toHaveLength(1);
  first.abort();
  await eventually(() => expect(started()).toHaveLength(2));
  second.abort();
  await ended;
  await eventually(() => expect(jobs(service)).toEqual([]));
});

test("leaves no files of an upload that breaks off", async () => {
  const service = await start();
  const upload = httpRequest(`${service.url}/api/convert`, {
    method: "POST",
    headers: {
      Authorization: "Bearer secret",
      "Content-Type": "multipart/form-data; boundary=b",
      "Content-Length": "1000",
    },
  });
  upload.on("error", () => {});
  upload.write('--b\r\nContent-Disposition: form-data; name="file"; filename="a.docx"\r\n\r\nPK');
  await eventually(() => expect(jobs(service)).toHaveLength(1));
  upload.destroy();
  await eventually(() => expect(jobs(service)).toEqual([]));
  expect((await post(service)).status).toBe(200);
});

test("refuses a form that ends in an empty file field, and keeps running", async () => {
  const service = await start();
  for (const disposition of [
    'name="file"; filename=""',
    'name="file"\r\nContent-Type: application/octet-stream',
  ]) {
    const headers = { Authorization: "Bearer secret", "Content-Type": "multipart/form-data; boundary=b" };
    const body = `--b\r\nContent-Disposition: form-data; ${disposition}\r\n\r\ncut`;
    // Vitest fails the test when the parser throws outside of the request.
    const refused = await post(service, {}, { body, headers });
    expect(await errorOf(refused)).toEqual([400, "invalid_parameter", { parameter: "body" }]);
  }
});

test.skipIf(!existsSync("/proc/self/fd"))("closes the files of refused and aborted uploads", async () => {
  const service = await start({ uploadLimit: 1_000_000 });
  const large = new File([new Uint8Array(3_000_000)], "a.docx");
  await post(service, { file: large, output_format: "pdf" });
  const many = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`field${index}`, ""]));
  await post(service, { file: new File([new Uint8Array(500_000)], "a.docx"), ...many });
  const socket = dial(service);
  socket.write(
    "POST /api/convert HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer secret\r\nContent-Length: 100000\r\n" +
      'Content-Type: multipart/form-data; boundary=b\r\n\r\n--b\r\nContent-Disposition: form-data; name="file"; ' +
      `filename="a.docx"\r\n\r\n${"a".repeat(70_000)}`,
  );
  await eventually(() => expect(openFiles(service)).toHaveLength(1));
  socket.destroy();
  await eventually(() => expect([...openFiles(service), ...jobs(service)]).toEqual([]));
});

test.skipIf(!existsSync("/dev/full"))("returns internal_error when it cannot write a file", async () => {
  const folder = mkdtempSync(join(tmpdir(), "stayput-full-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  symlinkSync("/dev/full", join(folder, "upload-0"));
  const form = new FormData();
  form.append("file", file);
  const sent = new Request("http://a", { method: "POST", body: form });
  const request = Object.assign(Readable.from([Buffer.from(await sent.arrayBuffer())]), {
    headers: { "content-type": sent.headers.get("content-type") ?? "" },
    complete: true,
  });
  await expect(receiveUpload(request, folder, 1_000_000, new AbortController().signal)).rejects.toMatchObject(
    { code: "ENOSPC" },
  );
});

function dial(service: Service): Socket {
  const { hostname, port } = new URL(service.url);
  // A broken connection also ends it.
  return connect(Number(port), hostname).on("error", () => {});
}

/** The text that arrives until the connection ends. */
function received(socket: Socket): Promise<string> {
  let text = "";
  socket.on("data", (chunk: Buffer) => {
    text += chunk.toString("latin1");
  });
  return new Promise((resolve) => socket.on("close", () => resolve(text)));
}

/** The open files of the service in this process, including removed ones. */
function openFiles(service: Service): string[] {
  const links = readdirSync("/proc/self/fd").map((name) => {
    try {
      return readlinkSync(`/proc/self/fd/${name}`);
    } catch {
      return "";
    }
  });
  return links.filter((path) => path.startsWith(service.folder));
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // A zombie process exists, but has ended.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}
