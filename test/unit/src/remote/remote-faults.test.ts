import { resolveObjectURL } from "node:buffer";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import {
  cutOff,
  hangUp,
  json,
  type Script,
  ScriptedService,
  silent,
  text,
} from "../../../support/fixtures/office/scripted-service.ts";
import {
  answer,
  docx,
  failure,
  KEY,
  newClient,
  PDF,
  service,
  useService,
  working,
} from "../../../support/remote-calls.ts";

useService();

describe("an error that a retry cannot change is reported at once", () => {
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
    [
      "400 with details of another type",
      json(400, said("invalid_page_selection", { position: "2", page_count: 12, hint: "2" })),
      { code: "invalid_page_selection", details: { page_count: 12, hint: "2", status: 400 } },
    ],
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

  test("429 with a longer Retry-After than the timeout", async () => {
    service.at("/api/convert", text(429, "", { "Retry-After": "20" }));
    const call = newClient({ timeout: 10_000 }).convert({ file: docx, output_format: "pdf" });
    expect(await failure(call)).toMatchObject({ code: "rate_limited", details: { retry_after: 20 } });
    expect(service.requests).toHaveLength(1);
  });

  test.each<[string, (origin: string) => Script]>([
    ["success: false", () => json(200, said("unsupported_conversion"))],
    ["success as a text", (url) => json(200, { success: "true", download_url: url, file_name: "a.pdf" })],
    ["HTML", () => text(200, "<!doctype html><h1>Welcome</h1>", { "Content-Type": "text/html" })],
    ["nothing", () => text(200, "")],
    ["an array", () => json(200, [true])],
    ["null", () => json(200, null)],
    ["no file_name", (url) => json(200, { success: true, download_url: url })],
    ["a relative URL", () => json(200, { success: true, download_url: "/a.pdf", file_name: "a.pdf" })],
    ["no URL", () => json(200, { success: true, download_url: 7, file_name: "a.pdf" })],
    ["javascript:", () => json(200, { success: true, download_url: "javascript:0", file_name: "a.pdf" })],
    [
      "a URL with a password",
      () => json(200, { success: true, download_url: "http://a:b@127.0.0.1/", file_name: "a.pdf" }),
    ],
    [
      "an answer without end",
      (url) =>
        json(200, {
          ...{ success: true, download_url: `${url}/download/1/x.pdf`, file_name: "a.pdf" },
          more: "a".repeat(100_000),
        }),
    ],
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

  test("a redirect, which is not followed", async () => {
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

  test("a redirect that the transport of the app followed", async () => {
    working().at("/other", answer());
    service.at("/api/convert", text(303, "", { Location: `${service.url}/other` }));
    const transport: typeof fetch = (input, init) =>
      fetch(new Request(input, { ...init, redirect: "follow" }));
    const call = newClient({ fetch: transport }).convert({ file: docx, output_format: "pdf" });
    const { code, message } = await failure(call);
    expect([code, message]).toEqual(["remote_failed", expect.stringContaining("redirects")]);
    expect(service.paths).toEqual(["/api/convert", "/other"]);
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

  test("a result that is no office file", async () => {
    working().at("/download/1/x.pdf", text(200, PDF));
    const file = new File([PDF], "a.pdf");
    const call = newClient().convert({ file, output_format: "docx" });
    expect(await failure(call)).toMatchObject({ code: "remote_failed" });
  });

  test("drops messages and details with the key or the password", async () => {
    const error = {
      code: "wrong_password",
      message: `${KEY} may not, with open-sesame`,
      details: { a: KEY, b: "open-sesame", [KEY]: 1, c: "d", e: { f: [KEY, "open-sesame"] } },
    };
    service.at("/api/convert", json(422, { success: false, error }));
    const call = newClient().convert({ file: docx, output_format: "pdf", password: "open-sesame" });
    const wire = (await failure(call)).toWire();
    expect(wire).toMatchObject({ code: "wrong_password", details: { c: "d", status: 422 } });
    expect(JSON.stringify(wire)).not.toContain("sesame");
  });
});

describe("a transient error is retried", () => {
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

  test("429, up to the most tries", async () => {
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

  test("pauses longer each time without a valid Retry-After", async () => {
    service.at("/api/convert", text(503, ""), text(502, "", { "Retry-After": "soon" }), text(504, ""));
    const spy = vi.spyOn(globalThis, "setTimeout");
    const error = await failure(newClient().convert({ file: docx, output_format: "pdf" }));
    expect(error).toMatchObject({ code: "remote_failed", details: { status: 504 } });
    const waits = spy.mock.calls.map(([, ms]) => ms);
    expect(waits).toContain(250);
    expect(waits).toContain(500);
    expect(service.requests).toHaveLength(3);
  });

  test("a broken connection", async () => {
    working().at("/api/convert", hangUp, answer());
    await newClient().convert({ file: docx, output_format: "pdf" });
    expect(service.paths).toEqual(["/api/convert", "/api/convert", "/download/1/x.pdf"]);
  });

  test("a service that does not answer", async () => {
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

  test("reports damaged_file if the file cannot be read any more", async () => {
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

  test("does not retry while the device is offline", async () => {
    vi.stubGlobal("navigator", { onLine: false });
    const transport = vi.fn(() => Promise.reject(new TypeError("Failed to fetch")));
    const call = newClient({ fetch: transport }).convert({ file: docx, output_format: "pdf" });
    expect(await failure(call)).toMatchObject({ code: "offline", status: 503 });
    expect(transport).toHaveBeenCalledTimes(1);
  });
});

describe("a call ends with", () => {
  test.each(["/api/convert", "/download/1/x.pdf"])("its timeout, while %s is silent", async (path) => {
    working().at(path, silent);
    const error = await failure(newClient({ timeout: 300 }).convert({ file: docx, output_format: "pdf" }));
    expect(error).toMatchObject({ code: "timeout", status: 504, details: { timeout: 300 } });
  });

  test("its timeout, if the transport or the key never settles", async () => {
    const never = () => new Promise<never>(() => {});
    const file = { file: docx, output_format: "pdf" };
    expect(await failure(newClient({ timeout: 20, fetch: never }).convert(file))).toMatchObject({
      code: "timeout",
    });
    expect(await failure(newClient({ timeout: 20, apiKey: never }).convert(file))).toMatchObject({
      code: "timeout",
    });
  });

  test.each(["/api/convert", "/download/1/x.pdf"])("its signal, and cancels %s", async (path) => {
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

  test("its signal, while onRemote is pending", async () => {
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
    const dropped = new Promise<void>((resolve) => {
      service.at("/api/convert", (response) => {
        response.on("close", resolve);
        client.close();
      });
    });
    const calls = [1, 2].map(() => client.convert({ file: docx, output_format: "pdf" }));
    for (const call of calls) await expect(call).rejects.toMatchObject({ code: "client_closed" });
    await dropped;
    await expect(client.convert({ file: docx, output_format: "pdf" })).rejects.toMatchObject({
      code: "client_closed",
    });
  });
});
