import { resolveObjectURL } from "node:buffer";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import {
  type Client,
  type ClientOptions,
  createClient,
  type Progress,
  type RemoteRequest,
  ServiceError,
} from "../../src/index.ts";
import { PAST_SERVICE_WORKER } from "../../src/service/path.ts";
import {
  cutOff,
  hangUp,
  json,
  type Script,
  ScriptedService,
  silent,
  text,
} from "../fixtures/office/scripted-service.ts";
import { zipOf } from "./office-files.ts";

const KEY = "key-that-nobody-may-see";
const PDF = "%PDF-1.7\nmade by the service\n";
const docx = new File([zipOf(["[Content_Types].xml", "word/document.xml"])], "report.final.docx");

let service: ScriptedService;

beforeEach(async () => {
  service = await ScriptedService.start();
  // The shortest pauses between tries.
  vi.spyOn(Math, "random").mockReturnValue(0);
});

afterEach(async () => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  await service.close();
});

function newClient(options: ClientOptions = {}): Client {
  const client = createClient({ baseUrl: service.url, apiKey: KEY, ...options });
  onTestFinished(() => client.close());
  return client;
}

function answer(file_name = "report.final.pdf", path = "/download/1/x.pdf"): Script {
  return json(200, { success: true, download_url: service.url + path, file_name });
}

/** A service that does its work. */
function working(): ScriptedService {
  return service.at("/api/convert", answer()).at("/download/1/x.pdf", text(200, PDF));
}

async function failure(call: Promise<unknown>): Promise<ServiceError> {
  const error = await call.then(
    () => new Error("the call succeeded"),
    (reason: unknown) => reason,
  );
  if (!(error instanceof ServiceError)) throw error;
  expect(`${JSON.stringify(error.toWire())} ${error.stack}`).not.toContain(KEY);
  return error;
}

describe("an office conversion", () => {
  test("sends the file and the fields that are given, and gets the result as a blob", async () => {
    working();
    const client = newClient();
    const result = await client.convert({
      file: docx,
      output_format: "PDF",
      pages: "1,3-5",
      keep_metadata: false,
      password: "",
    });
    expect(result).toEqual({
      success: true,
      download_url: expect.stringMatching(/^blob:/),
      file_name: "report.final.pdf",
    });
    const file = resolveObjectURL(result.download_url);
    expect(file?.type).toBe("application/pdf");
    expect(await file?.text()).toBe(PDF);
    client.release(result);
    expect(resolveObjectURL(result.download_url)).toBeUndefined();

    const [convert, download] = service.requests;
    expect(convert).toMatchObject({ method: "POST", path: "/api/convert" });
    expect(convert?.headers.authorization).toBe(`Bearer ${KEY}`);
    const { file: sent, ...fields } = Object.fromEntries(convert?.form ?? []);
    expect(fields).toEqual({ output_format: "pdf", pages: "1,3-5", keep_metadata: "false", password: "" });
    expect(sent).toMatchObject({ name: "report.final.docx", size: docx.size });
    expect((sent as File).type).toMatch(/wordprocessingml/);
    expect(download).toMatchObject({ method: "GET", path: "/download/1/x.pdf" });
    expect(download?.headers.authorization).toBe(`Bearer ${KEY}`);
    expect(service.requests).toHaveLength(2);
  });

  test("without a key sends none", async () => {
    working();
    await newClient({ apiKey: undefined }).convert({ file: docx, output_format: "pdf" });
    expect(service.requests.map(({ headers }) => headers.authorization)).toEqual([undefined, undefined]);
  });

  test("asks a function for the key before each request", async () => {
    service
      .at("/api/convert", text(503, "", { "Retry-After": "0" }), answer())
      .at("/download/1/x.pdf", text(200, PDF));
    let asked = 0;
    await newClient({ apiKey: async () => `key-${++asked}` }).convert({ file: docx, output_format: "pdf" });
    const keys = service.requests.map(({ headers }) => headers.authorization);
    expect(keys).toEqual(["Bearer key-1", "Bearer key-2", "Bearer key-3"]);
  });

  test("tells its progress", async () => {
    working();
    const told: Progress[] = [];
    await newClient().convert({ file: docx, output_format: "pdf" }, { onProgress: (one) => told.push(one) });
    expect(told.slice(0, 3)).toEqual([
      { phase: "queued", done: 0, total: 0 },
      { phase: "uploading", done: 0, total: docx.size },
      { phase: "downloading", done: 0, total: 0 },
    ]);
  });

  test("ends with what onProgress throws", async () => {
    working();
    for (const last of ["queued", "uploading", "downloading"]) {
      const onProgress = ({ phase }: Progress) => {
        if (phase === last) throw new Error(`stop while ${phase}`);
      };
      const call = newClient().convert({ file: docx, output_format: "pdf" }, { onProgress });
      await expect(call).rejects.toThrow(`stop while ${last}`);
    }
  });

  test("goes through the transport that the app gives", async () => {
    working();
    const transport = vi.fn((...args: Parameters<typeof fetch>) => fetch(...args));
    await newClient({ fetch: transport }).convert({ file: docx, output_format: "pdf" });
    expect(transport).toHaveBeenCalledTimes(2);
  });

  test("does not go through a fetch that took the platform's place later", async () => {
    working();
    const client = newClient();
    vi.stubGlobal("fetch", client.fetch);
    await client.convert({ file: docx, output_format: "pdf" });
    expect(service.paths).toEqual(["/api/convert", "/download/1/x.pdf"]);
  });

  test("passes by the app's own service worker, where the service has the page's origin", async () => {
    working();
    const mark = () => service.requests.splice(0).map(({ headers }) => headers[PAST_SERVICE_WORKER]);
    await newClient().convert({ file: docx, output_format: "pdf" });
    expect(mark()).toEqual([undefined, undefined]);
    vi.stubGlobal("location", new URL(service.url));
    await newClient().convert({ file: docx, output_format: "pdf" });
    expect(mark()).toEqual(["1", "1"]);
  });

  test("keeps a base path, and sends no key to where the result is kept elsewhere", async () => {
    const elsewhere = await ScriptedService.start();
    onTestFinished(() => elsewhere.close());
    elsewhere.at("/files/1", text(200, PDF));
    const download_url = `${elsewhere.url}/files/1`;
    service.at("/pdf/api/convert", json(200, { success: true, download_url, file_name: "a.pdf" }));
    const client = newClient({ baseUrl: `${service.url}/pdf/` });
    const result = await client.convert({ file: docx, output_format: "pdf" });
    expect(await resolveObjectURL(result.download_url)?.text()).toBe(PDF);
    expect(elsewhere.requests.map(({ headers }) => headers.authorization)).toEqual([undefined]);
  });

  test('keeps the service\'s URL with remoteDownloads: "link"', async () => {
    working();
    const client = newClient({ remoteDownloads: "link" });
    const result = await client.convert({ file: docx, output_format: "pdf" });
    const download_url = `${service.url}/download/1/x.pdf`;
    expect(result).toEqual({ success: true, download_url, file_name: "report.final.pdf" });
    client.release(result);
    expect(service.paths).toEqual(["/api/convert"]);
  });

  test("of several pages to images is an archive, whatever it is served as", async () => {
    const zip = zipOf(["report.final-1.png", "report.final-2.png"]);
    service
      .at("/api/convert", answer("report.final.zip"))
      .at("/download/1/x.pdf", text(200, zip, { "Content-Type": "text/html" }));
    const result = await newClient().convert({ file: docx, output_format: "png" });
    expect(result.file_name).toBe("report.final.zip");
    expect(resolveObjectURL(result.download_url)?.type).toBe("application/zip");
  });
});

describe("a result's name", () => {
  test("has the extension that its content deserves", async () => {
    const zip = zipOf(["a-1.png", "a-2.png"]);
    working().at("/api/convert", answer("a.png")).at("/download/1/x.pdf", text(200, zip));
    const archive = await newClient().convert({ file: docx, output_format: "png" });
    expect(archive.file_name).toBe("report.final.zip");
    service.at("/api/convert", answer("a.zip")).at("/download/1/x.pdf", text(200, PDF));
    const single = await newClient().convert({ file: docx, output_format: "pdf" });
    expect(single.file_name).toBe("report.final.pdf");
    service
      .at("/api/convert", answer("a.JPEG"))
      .at("/download/1/x.pdf", text(200, Uint8Array.of(0xff, 0xd8, 0xff, 0xe0)));
    const photo = await newClient().convert({ file: docx, output_format: "jpg" });
    expect(photo.file_name).toBe("a.JPEG");
  });

  test.each([
    ["Übersicht 2026 (1).pdf", "Übersicht 2026 (1).pdf"],
    ["👩‍👩‍👧.PDF", "👩‍👩‍👧.PDF"],
    ["../../report.pdf", "report.final.pdf"],
    ["a\\b.pdf", "report.final.pdf"],
    ["a\0.pdf", "report.final.pdf"],
    ["invoice\u202efdp.exe", "report.final.pdf"],
    ["invoice\u202efdp.pdf", "report.final.pdf"],
    ["report.pdf.exe", "report.final.pdf"],
    ["report", "report.final.pdf"],
    ["", "report.final.pdf"],
    [`${"a".repeat(300)}.pdf`, "report.final.pdf"],
  ])("%j from the service is %j", async (given, expected) => {
    working().at("/api/convert", answer(given));
    for (const remoteDownloads of ["blob", "link"] as const) {
      const result = await newClient({ remoteDownloads }).convert({ file: docx, output_format: "pdf" });
      expect(result.file_name).toBe(expected);
    }
  });
});

describe("no request", () => {
  const pair = { file: docx, output_format: "pdf" };

  test('with remote: "never"', async () => {
    const transport = vi.fn(fetch);
    const onRemote = vi.fn();
    const client = newClient({ remote: "never", fetch: transport, onRemote });
    expect(await failure(client.convert(pair))).toMatchObject({ code: "remote_refused", status: 501 });
    expect([transport.mock.calls, onRemote.mock.calls, service.requests]).toEqual([[], [], []]);
  });

  test("without a baseUrl", async () => {
    const transport = vi.fn(fetch);
    const client = newClient({ baseUrl: undefined, fetch: transport });
    expect(await failure(client.convert(pair))).toMatchObject({ code: "remote_not_configured", status: 501 });
    expect(transport).not.toHaveBeenCalled();
  });

  test("when onRemote refuses", async () => {
    const no = [
      () => false,
      async () => false,
      () => {
        throw new Error(KEY);
      },
      () => Promise.reject(KEY),
    ];
    for (const onRemote of no) {
      expect(await failure(newClient({ onRemote }).convert(pair))).toMatchObject({
        code: "remote_refused",
        details: { from: "docx", to: "pdf" },
      });
    }
    expect(service.requests).toHaveLength(0);
  });

  test("before onRemote, which is told what is to go where, agrees", async () => {
    working();
    const told: { request: RemoteRequest; sent: number }[] = [];
    const onRemote = async (request: RemoteRequest) => {
      await Promise.resolve();
      told.push({ request, sent: service.requests.length });
    };
    await newClient({ onRemote }).convert(pair);
    const url = `${service.url}/api/convert`;
    expect(told).toEqual([
      { request: { url, file: docx, from: "docx", to: "pdf", output_format: "pdf" }, sent: 0 },
    ]);
  });

  test("when the key cannot be had, or is none", async () => {
    const keys = [
      [() => Promise.reject(new Error(KEY)), "unauthorized"],
      [`${KEY}\nX-Other: 1`, "invalid_parameter"],
      [`${KEY}é`, "invalid_parameter"],
      [() => 7 as never, "invalid_parameter"],
    ] as const;
    for (const [apiKey, code] of keys) {
      expect(await failure(newClient({ apiKey }).convert(pair))).toMatchObject({ code });
    }
    expect(service.requests).toHaveLength(0);
  });

  test.each([
    [{ timeout: 0 }, "timeout"],
    [{ timeout: Number.NaN }, "timeout"],
    [{ timeout: "1000" as never }, "timeout"],
    [{ remoteDownloads: "file" as never }, "remoteDownloads"],
    [{ fetch: true as never }, "fetch"],
    [{ onRemote: false as never }, "onRemote"],
  ])("with the option %j", async (options, parameter) => {
    expect(await failure(newClient(options).convert(pair))).toMatchObject({
      code: "invalid_parameter",
      details: { parameter },
    });
    expect(service.requests).toHaveLength(0);
  });
});

describe("a fault that no other try would mend is told at once", () => {
  const said = (code: string, details = {}) => ({
    success: false,
    error: { code, message: "Said.", details },
  });

  test.each<[string, Script, object]>([
    ["401", json(401, said("whatever")), { code: "unauthorized", details: { status: 401 } }],
    ["403", text(403, "<h1>no</h1>"), { code: "unauthorized", details: { status: 403 } }],
    ["413", text(413, "too large"), { code: "input_too_large", details: { status: 413 } }],
    [
      "422 that says what is wrong",
      json(422, said("unsupported_conversion", { from: "pdf", to: "xlsx", deep: {} })),
      {
        code: "unsupported_conversion",
        message: "Said.",
        details: { from: "pdf", to: "xlsx", status: 422 },
      },
    ],
    ["422 of a damaged file", json(422, said("damaged_file")), { code: "damaged_file" }],
    ["422 that says nothing", text(422, ""), { code: "remote_failed", details: { status: 422 } }],
    ["422 with an unknown code", json(422, said("banana")), { code: "remote_failed" }],
    ["400", json(400, said("invalid_parameter", { parameter: "dpi" })), { code: "invalid_parameter" }],
    ["404", json(404, said("not_found")), { code: "remote_failed", details: { status: 404 } }],
    ["418 with a code that is not its own", json(418, said("out_of_memory")), { code: "remote_failed" }],
    ["500 with HTML", text(500, "<h1>Oops</h1>"), { code: "remote_failed", details: { status: 500 } }],
    ["500 that says something", json(500, said("internal_error")), { code: "remote_failed" }],
    [
      "504 of a service that gave up",
      json(504, said("timeout"), { "Retry-After": "31" }),
      { code: "timeout", details: { status: 504 } },
    ],
    ["504 that says nothing", text(504, "", { "Retry-After": "31" }), { code: "remote_failed" }],
    ["400 that says it took too long", json(400, said("timeout")), { code: "remote_failed" }],
    [
      "429 that asks for more than 30 seconds",
      text(429, "", { "Retry-After": "31" }),
      { code: "rate_limited", details: { status: 429, retry_after: 31 } },
    ],
    [
      "503 that asks for more than 30 seconds",
      text(503, "", { "Retry-After": "3600" }),
      { code: "remote_failed", details: { status: 503, retry_after: 3600 } },
    ],
  ])("%s", async (_, script, expected) => {
    service.at("/api/convert", script);
    expect(await failure(newClient().convert({ file: docx, output_format: "pdf" }))).toMatchObject(expected);
    expect(service.paths).toEqual(["/api/convert"]);
  });

  test("429 until a date", async () => {
    const date = new Date(Date.now() + 90_500).toUTCString();
    service.at("/api/convert", text(429, "", { "Retry-After": date }));
    const { code, details } = await failure(newClient().convert({ file: docx, output_format: "pdf" }));
    expect(code).toBe("rate_limited");
    expect(details.retry_after).toBeGreaterThan(80);
    expect(details.retry_after).toBeLessThanOrEqual(91);
    expect(service.requests).toHaveLength(1);
  });

  test("429 that asks for more time than the call has", async () => {
    service.at("/api/convert", text(429, "", { "Retry-After": "20" }));
    const call = newClient({ timeout: 10_000 }).convert({ file: docx, output_format: "pdf" });
    expect(await failure(call)).toMatchObject({ code: "rate_limited", details: { retry_after: 20 } });
    expect(service.requests).toHaveLength(1);
  });

  test.each<[string, (origin: string) => Script]>([
    ["success: false", () => json(200, said("unsupported_conversion"))],
    ["success as a text", (url) => json(200, { success: "true", download_url: url, file_name: "a.pdf" })],
    ["garbage", () => text(200, "\xff\xfe{")],
    ["HTML", () => text(200, "<!doctype html><h1>Welcome</h1>", { "Content-Type": "text/html" })],
    ["nothing", () => text(200, "")],
    ["an array", () => json(200, [true])],
    ["null", () => json(200, null)],
    ["no file_name", (url) => json(200, { success: true, download_url: url })],
    ["other keys", (url) => json(200, { success: true, url, name: "a.pdf" })],
    ["a relative URL", () => json(200, { success: true, download_url: "/a.pdf", file_name: "a.pdf" })],
    ["no URL", () => json(200, { success: true, download_url: 7, file_name: "a.pdf" })],
    ["javascript:", () => json(200, { success: true, download_url: "javascript:0", file_name: "a.pdf" })],
    ["data:", () => json(200, { success: true, download_url: "data:,%25PDF-", file_name: "a.pdf" })],
    [
      "a URL with a password",
      () => json(200, { success: true, download_url: "http://a:b@127.0.0.1/", file_name: "a.pdf" }),
    ],
    ["an answer without end", () => text(200, `{"success":true,"x":"${"a".repeat(100_000)}"}`)],
    ["an answer that is cut off", () => cutOff('{"success":true,"download_url":"http')],
  ])("200 with %s", async (_, script) => {
    service.at("/api/convert", script(service.url));
    for (const remoteDownloads of ["blob", "link"] as const) {
      const call = newClient({ remoteDownloads }).convert({ file: docx, output_format: "pdf" });
      const { code, details } = await failure(call);
      expect([code, details.status]).toEqual(["remote_failed", 200]);
    }
    expect(service.paths).toEqual(["/api/convert", "/api/convert"]);
  });

  test("a redirect, which nothing follows", async () => {
    const elsewhere = await ScriptedService.start();
    onTestFinished(() => elsewhere.close());
    for (const status of [301, 302, 303, 307, 308]) {
      service.at("/api/convert", text(status, "", { Location: `${elsewhere.url}/api/convert` }));
      const { code, message } = await failure(newClient().convert({ file: docx, output_format: "pdf" }));
      expect([code, message]).toEqual(["remote_failed", expect.stringContaining("redirects")]);
    }
    working().at("/download/1/x.pdf", text(302, "", { Location: `${elsewhere.url}/x.pdf` }));
    const call = newClient().convert({ file: docx, output_format: "pdf" });
    expect(await failure(call)).toMatchObject({ code: "remote_failed" });
    expect(service.paths).toHaveLength(7);
    expect(elsewhere.requests).toHaveLength(0);
  });

  test("a transport that followed a redirect all the same", async () => {
    working().at("/other", answer());
    service.at("/api/convert", text(307, "", { Location: `${service.url}/other` }));
    const transport: typeof fetch = (input, init) =>
      fetch(new Request(input, { ...init, redirect: "follow" }));
    const call = newClient({ fetch: transport }).convert({ file: docx, output_format: "pdf" });
    expect(await failure(call)).toMatchObject({ code: "remote_failed" });
  });

  test.each<[string, Script, number]>([
    ["that is cut off", cutOff("%PDF-1.7"), 200],
    ["that is an error page", text(200, "<h1>Not here</h1>", { "Content-Type": "application/pdf" }), 200],
    ["that is empty", text(200, ""), 200],
    ["that is gone", text(410, "gone"), 410],
  ])("a result %s", async (_, script, status) => {
    working().at("/download/1/x.pdf", script);
    const { code, details } = await failure(newClient().convert({ file: docx, output_format: "pdf" }));
    expect([code, details.status]).toEqual(["remote_failed", status]);
    expect(service.paths).toEqual(["/api/convert", "/download/1/x.pdf"]);
  });

  test("an office file that is no office file", async () => {
    working().at("/download/1/x.pdf", text(200, PDF));
    const file = new File([PDF], "a.pdf");
    const call = newClient().convert({ file, output_format: "docx" });
    expect(await failure(call)).toMatchObject({ code: "remote_failed" });
  });

  test("a message and details that give the key or the password away are not passed on", async () => {
    const error = {
      code: "wrong_password",
      message: `${KEY} may not, with open-sesame`,
      details: { a: KEY, b: "open-sesame", [KEY]: 1, c: "d" },
    };
    service.at("/api/convert", json(422, { success: false, error }));
    const call = newClient().convert({ file: docx, output_format: "pdf", password: "open-sesame" });
    const wire = (await failure(call)).toWire();
    expect(wire).toMatchObject({ code: "wrong_password", details: { c: "d", status: 422 } });
    expect(JSON.stringify(wire)).not.toContain("sesame");
  });
});

describe("a fault that may pass is met with another try", () => {
  test("502, then 503, then the answer", async () => {
    const busy = { "Retry-After": "0" };
    service
      .at("/api/convert", text(502, "<h1>Bad gateway</h1>", busy), text(503, "", busy), answer())
      .at("/download/1/x.pdf", text(504, "", busy), text(200, PDF));
    const result = await newClient().convert({ file: docx, output_format: "pdf" });
    expect(await resolveObjectURL(result.download_url)?.text()).toBe(PDF);
    expect(service.paths).toEqual([
      "/api/convert",
      "/api/convert",
      "/api/convert",
      "/download/1/x.pdf",
      "/download/1/x.pdf",
    ]);
    for (const { form } of service.requests.slice(0, 3)) {
      expect(form?.get("file")).toMatchObject({ name: "report.final.docx", size: docx.size });
    }
  });

  test("429 for a moment, and for good", async () => {
    service.at("/api/convert", text(429, "", { "Retry-After": "0" }));
    const error = await failure(newClient().convert({ file: docx, output_format: "pdf" }));
    expect(error).toMatchObject({ code: "rate_limited", details: { retry_after: 0, status: 429 } });
    expect(service.requests).toHaveLength(3);
  });

  test("waits as long as Retry-After says", async () => {
    working().at("/api/convert", text(429, "", { "Retry-After": "7" }), answer());
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const waits: number[] = [];
    const setFake = globalThis.setTimeout;
    vi.spyOn(globalThis, "setTimeout").mockImplementation(((run: () => void, ms = 0) => {
      waits.push(ms);
      if (ms === 7000) queueMicrotask(run);
      return setFake(() => {}, ms);
    }) as typeof setTimeout);
    await newClient().convert({ file: docx, output_format: "pdf" });
    expect(waits).toContain(7000);
  });

  test("without Retry-After, or with one that says nothing, it pauses longer each time", async () => {
    service.at("/api/convert", text(503, ""), text(502, "", { "Retry-After": "soon" }), text(504, ""));
    const spy = vi.spyOn(globalThis, "setTimeout");
    const error = await failure(newClient().convert({ file: docx, output_format: "pdf" }));
    expect(error).toMatchObject({ code: "remote_failed", details: { status: 504 } });
    const waits = spy.mock.calls.map(([, ms]) => ms);
    expect(waits).toContain(250);
    expect(waits).toContain(500);
    expect(service.requests).toHaveLength(3);
  });

  test("a connection that breaks", async () => {
    working().at("/api/convert", hangUp, answer());
    await newClient().convert({ file: docx, output_format: "pdf" });
    expect(service.paths).toEqual(["/api/convert", "/api/convert", "/download/1/x.pdf"]);
  });

  test("a service that is down", async () => {
    const gone = await ScriptedService.start();
    await gone.close();
    const transport = vi.fn(fetch);
    const call = newClient({ baseUrl: gone.url, fetch: transport }).convert({
      file: docx,
      output_format: "pdf",
    });
    expect(await failure(call)).toMatchObject({
      code: "remote_failed",
      message: expect.stringContaining(gone.url),
    });
    expect(transport).toHaveBeenCalledTimes(3);
  });

  test("a file that cannot be read any more is told apart from a service that is down", async () => {
    let isLost = false;
    class FileThatGoes extends File {
      override slice(...range: Parameters<Blob["slice"]>): Blob {
        const part = super.slice(...range);
        if (isLost) part.arrayBuffer = () => Promise.reject(new DOMException("lost", "NotReadableError"));
        return part;
      }
    }
    const transport = () => {
      isLost = true;
      return Promise.reject(new TypeError("Failed to fetch"));
    };
    const file = new FileThatGoes([docx], "report.docx");
    const call = newClient({ fetch: transport }).convert({ file, output_format: "pdf" });
    expect(await failure(call)).toMatchObject({ code: "damaged_file" });
  });

  test("but not while the device is offline", async () => {
    vi.stubGlobal("navigator", { onLine: false });
    const transport = vi.fn(() => Promise.reject(new TypeError("Failed to fetch")));
    const call = newClient({ fetch: transport }).convert({ file: docx, output_format: "pdf" });
    expect(await failure(call)).toMatchObject({ code: "offline", status: 503 });
    expect(transport).toHaveBeenCalledTimes(1);
  });
});

describe("a call does not outlast", () => {
  test.each(["/api/convert", "/download/1/x.pdf"])("its timeout, while %s is silent", async (path) => {
    working().at(path, silent);
    const error = await failure(newClient({ timeout: 300 }).convert({ file: docx, output_format: "pdf" }));
    expect(error).toMatchObject({ code: "timeout", status: 504, details: { timeout: 300 } });
  });

  test("its timeout, while a result trickles", async () => {
    working().at("/download/1/x.pdf", (response) => {
      response.writeHead(200, { "Content-Length": "1000" });
      response.write("%PDF-1.7");
    });
    const call = newClient({ timeout: 300 }).convert({ file: docx, output_format: "pdf" });
    expect(await failure(call)).toMatchObject({ code: "timeout" });
  });

  test("its timeout, whatever the transport and the key do", async () => {
    const never = () => new Promise<never>(() => {});
    const file = { file: docx, output_format: "pdf" };
    expect(await failure(newClient({ timeout: 20, fetch: never }).convert(file))).toMatchObject({
      code: "timeout",
    });
    expect(await failure(newClient({ timeout: 20, apiKey: never }).convert(file))).toMatchObject({
      code: "timeout",
    });
  });

  test.each(["/api/convert", "/download/1/x.pdf"])("its signal, and lets go of %s", async (path) => {
    const controller = new AbortController();
    const dropped = new Promise<void>((resolve) => {
      working().at(path, (response) => {
        response.on("close", resolve);
        controller.abort("never mind");
      });
    });
    const call = newClient().convert({ file: docx, output_format: "pdf" }, { signal: controller.signal });
    await expect(call).rejects.toBe("never mind");
    await dropped;
    expect(service.paths.filter((one) => one === path)).toHaveLength(1);
  });

  test("its signal, between two tries", async () => {
    const controller = new AbortController();
    service.at("/api/convert", (response) => {
      response.writeHead(503, { "Retry-After": "20" }).end();
      response.on("close", () => controller.abort("never mind"));
    });
    const call = newClient().convert({ file: docx, output_format: "pdf" }, { signal: controller.signal });
    await expect(call).rejects.toBe("never mind");
    expect(service.requests).toHaveLength(1);
  });

  test("its signal, while onRemote thinks", async () => {
    const controller = new AbortController();
    const onRemote = () => {
      controller.abort("never mind");
      return new Promise(() => {});
    };
    const call = newClient({ onRemote }).convert(
      { file: docx, output_format: "pdf" },
      { signal: controller.signal },
    );
    await expect(call).rejects.toBe("never mind");
    expect(service.requests).toHaveLength(0);
  });

  test("its client", async () => {
    const client = newClient();
    service.at("/api/convert", () => client.close());
    const calls = [1, 2].map(() => client.convert({ file: docx, output_format: "pdf" }));
    for (const call of calls) await expect(call).rejects.toMatchObject({ name: "AbortError" });
    await expect(client.convert({ file: docx, output_format: "pdf" })).rejects.toMatchObject({
      name: "AbortError",
    });
  });
});
