import { resolveObjectURL } from "node:buffer";
import { describe, expect, test, vi } from "vitest";
import { PAST_SERVICE_WORKER } from "../../../../src/http/path.ts";
import type { Client, Progress, RemoteRequest } from "../../../../src/index.ts";
import { json, text } from "../../../support/fixtures/office/scripted-service.ts";
import { compoundFile, zipOf } from "../../../support/office-files.ts";
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

  test("accepts null as a signal, like fetch", async () => {
    working();
    const options = { signal: null } as object;
    expect(await newClient().convert({ file: docx, output_format: "pdf" }, options)).toMatchObject({
      success: true,
    });
  });

  test("accepts a timeout that is longer than that of timers", async () => {
    working();
    for (const timeout of [2 ** 31, Number.POSITIVE_INFINITY]) {
      const call = newClient({ timeout }).convert({ file: docx, output_format: "pdf" });
      expect(await call).toMatchObject({ success: true });
    }
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

  test("ends with the error of onProgress", async () => {
    working();
    for (const last of ["queued", "uploading", "downloading"]) {
      const onProgress = ({ phase }: Progress) => {
        if (phase === last) throw new Error(`stop while ${phase}`);
      };
      const call = newClient().convert({ file: docx, output_format: "pdf" }, { onProgress });
      await expect(call).rejects.toThrow(`stop while ${last}`);
    }
  });

  test("uses the transport of the app", async () => {
    working();
    const transport = vi.fn((...args: Parameters<typeof fetch>) => fetch(...args));
    await newClient({ fetch: transport }).convert({ file: docx, output_format: "pdf" });
    // Neither the file nor what becomes of it is to stay in the browser's cache.
    expect(transport.mock.calls.map(([input]) => input instanceof Request && input.cache)).toEqual([
      "no-store",
      "no-store",
    ]);
  });

  test("uses the fetch of the platform that was there when the client was created", async () => {
    working();
    const client = newClient();
    vi.stubGlobal("fetch", client.fetch);
    await client.convert({ file: docx, output_format: "pdf" });
    expect(service.paths).toEqual(["/api/convert", "/download/1/x.pdf"]);
  });

  test.each<[string, typeof fetch]>([
    ["hands on what it got", (input, init) => fetch(input, init)],
    [
      "makes a request of its own",
      (input) => {
        const { url, method, headers, redirect, body } = new Request(input);
        return fetch(url, { method, headers, redirect, body, ...(body && { duplex: "half" }) });
      },
    ],
  ])("reaches the service by a transport that %s to client.fetch", async (_, transport) => {
    const download_url = `${service.url}/api/files/1`;
    service
      .at("/api/convert", json(200, { success: true, download_url, file_name: "a.pdf" }))
      .at("/api/files/1", text(200, PDF));
    // Refuses after a while, or what goes in circles would do so for ever.
    const onRemote = vi.fn(() => onRemote.mock.calls.length < 20);
    const client = newClient({ onRemote, fetch: transport });
    vi.stubGlobal("fetch", client.fetch);
    // Made later, it takes the first one's for the platform's.
    const second = newClient({ onRemote });
    vi.stubGlobal("fetch", second.fetch);
    for (const one of [client, second]) {
      onRemote.mockClear();
      service.requests.splice(0);
      await one.convert({ file: docx, output_format: "pdf" });
      expect(service.paths).toEqual(["/api/convert", "/api/files/1"]);
      expect(onRemote).toHaveBeenCalledOnce();
    }
  });

  test("is the only request to the service: later requests of the app are answered here", async () => {
    working();
    const client: Client = newClient({ fetch: (input, init) => client.fetch(input, init) });
    await client.convert({ file: docx, output_format: "pdf" });
    service.requests.splice(0);
    const body = new FormData();
    body.append("file", docx);
    body.append("pages", "1");
    const response = await client.fetch(`${service.url}/api/split-pdf`, { method: "POST", body });
    expect(response.status).toBe(415);
    expect(service.requests).toHaveLength(0);
  });

  test("bypasses the service worker of the app if the service has the origin of the page", async () => {
    working();
    const mark = () => service.requests.splice(0).map(({ headers }) => headers[PAST_SERVICE_WORKER]);
    await newClient().convert({ file: docx, output_format: "pdf" });
    expect(mark()).toEqual([undefined, undefined]);
    vi.stubGlobal("location", new URL(service.url));
    await newClient().convert({ file: docx, output_format: "pdf" });
    expect(mark()).toEqual(["1", "1"]);
  });

  test("bypasses a service worker that answers for another origin, by the fragment of the URL", async () => {
    working();
    const sent: string[] = [];
    const transport: typeof fetch = (input, init) => {
      if (input instanceof Request) sent.push(input.url);
      return fetch(input, init);
    };
    vi.stubGlobal("location", new URL("https://app.example/"));
    vi.stubGlobal("navigator", { serviceWorker: { controller: {} } });
    await newClient({ fetch: transport }).convert({ file: docx, output_format: "pdf" });
    const mark = `#${PAST_SERVICE_WORKER}`;
    expect(sent).toEqual([`${service.url}/api/convert${mark}`, `${service.url}/download/1/x.pdf${mark}`]);
    expect(service.paths).toEqual(["/api/convert", "/download/1/x.pdf"]);
  });

  test("carries no referrer, in the upload and in the download", async () => {
    working();
    const policies: string[] = [];
    const transport: typeof fetch = (input, init) => {
      if (input instanceof Request) policies.push(input.referrerPolicy);
      return fetch(input, init);
    };
    await newClient({ fetch: transport }).convert({ file: docx, output_format: "pdf" });
    expect(policies).toEqual(["no-referrer", "no-referrer"]);
  });

  test("keeps the path of the base", async () => {
    working().at("/pdf/api/convert", answer());
    await newClient({ baseUrl: `${service.url}/pdf/` }).convert({ file: docx, output_format: "pdf" });
    expect(service.paths).toEqual(["/pdf/api/convert", "/download/1/x.pdf"]);
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
});

describe("the name of a result", () => {
  test("has the extension of its content, whatever its content type", async () => {
    const zip = zipOf(["a-1.png", "a-2.png"]);
    working().at("/api/convert", answer("a.png"));
    service.at("/download/1/x.pdf", text(200, zip, { "Content-Type": "text/html" }));
    const archive = await newClient().convert({ file: docx, output_format: "png" });
    expect(archive.file_name).toBe("report.final.zip");
    expect(resolveObjectURL(archive.download_url)?.type).toBe("application/zip");
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
  ])("%j from the service becomes %j", async (given, expected) => {
    working().at("/api/convert", answer(given));
    for (const remoteDownloads of ["blob", "link"] as const) {
      const result = await newClient({ remoteDownloads }).convert({ file: docx, output_format: "pdf" });
      expect(result.file_name).toBe(expected);
    }
  });
});

describe("no request", () => {
  const pair = { file: docx, output_format: "pdf" };

  test.each([
    [{ remote: "never" }, "remote_refused"],
    [{ baseUrl: undefined }, "remote_not_configured"],
  ] as const)("with the options %j", async (options, code) => {
    const transport = vi.fn(fetch);
    const onRemote = vi.fn();
    const client = newClient({ ...options, fetch: transport, onRemote });
    expect(await failure(client.convert(pair))).toMatchObject({ code, status: 501 });
    expect([transport.mock.calls, onRemote.mock.calls, service.requests]).toEqual([[], [], []]);
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

  test("before onRemote has allowed it", async () => {
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

  test("for a document with a password", async () => {
    const file = new File([compoundFile(["Root Entry", "EncryptionInfo", "EncryptedPackage"])], "a.docx");
    const call = newClient().convert({ file, output_format: "pdf" });
    expect(await failure(call)).toMatchObject({ code: "unsupported_encryption" });
    expect(service.requests).toHaveLength(0);
  });

  test("when the function for the key fails or returns no key", async () => {
    const keys = [
      [() => Promise.reject(new Error(KEY)), "unauthorized"],
      [() => `${KEY}\nX-Other: 1`, "invalid_parameter"],
      [() => 7 as never, "invalid_parameter"],
    ] as const;
    for (const [apiKey, code] of keys) {
      expect(await failure(newClient({ apiKey }).convert(pair))).toMatchObject({ code });
    }
    expect(service.requests).toHaveLength(0);
  });

  test("and no retry when the function for the key fails", async () => {
    const apiKey = vi.fn(() => Promise.reject(new Error(KEY)));
    await failure(newClient({ apiKey }).convert(pair));
    expect(apiKey).toHaveBeenCalledOnce();
  });
});
