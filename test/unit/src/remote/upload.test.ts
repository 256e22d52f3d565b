import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { createClient, type Progress } from "../../../../src/index.ts";
import { fetchWithForm } from "../../../../src/remote/upload.ts";
import { json, ScriptedService, text } from "../../../support/fixtures/office/scripted-service.ts";
import { zipOf } from "../../../support/office-files.ts";

const platformFetch = globalThis.fetch;

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test("reports how much of a stream has been sent", async () => {
  const service = await ScriptedService.start();
  onTestFinished(() => service.close());
  const download_url = "https://service.example/x.pdf";
  service
    .at("/api/convert", json(200, { success: true, download_url, file_name: "report.pdf" }))
    .at("/x.pdf", text(200, "%PDF-1.7"));
  // A service over TLS, as far as the client knows.
  vi.stubGlobal("fetch", (input: Request) =>
    platformFetch(new Request(input.url.replace("https://service.example", service.url), input)),
  );
  // The report lets four a second through.
  let now = 0;
  vi.spyOn(performance, "now").mockImplementation(() => (now += 300));
  const client = createClient({ baseUrl: "https://service.example", apiKey: "key" });
  onTestFinished(() => client.close());

  const file = new File([zipOf(["[Content_Types].xml", "word/document.xml"])], "report.docx");
  const told: Progress[] = [];
  await client.convert({ file, output_format: "pdf" }, { onProgress: (one) => told.push(one) });
  const [upload] = service.requests;
  expect(upload?.headers).toMatchObject({ authorization: "Bearer key", "transfer-encoding": "chunked" });
  expect(upload?.form?.get("file")).toMatchObject({ name: "report.docx", size: file.size });
  expect(upload?.form?.get("output_format")).toBe("pdf");
  const sent = told.filter(({ phase }) => phase === "uploading").map(({ done }) => done);
  expect(sent[0]).toBe(0);
  expect(sent.at(-1)).toBe(file.size);
  expect(sent.length).toBeGreaterThan(2);
  expect(told.map(({ phase }) => phase)).toContain("working");
});

/** A transport with these answers. It notes of each request whether it came as a stream, and the file. */
function setUp(host: string, ...answers: (number | Error)[]) {
  const form = new FormData();
  form.append("file", new Blob(["content"]), "report.docx");
  const seen: { isStream: boolean; file: unknown }[] = [];
  let streamed = 0;
  const transport = vi.fn(async (input: RequestInfo | URL) => {
    streamed = 0;
    const file = (await new Request(input).formData()).get("file");
    // Only a stream reports how much of it was read.
    seen.push({ isStream: streamed > 0, file: file instanceof File ? await file.text() : file });
    const answer = answers.shift() ?? 200;
    if (answer instanceof Error) throw answer;
    return new Response("", { status: answer });
  });
  const sent = (bytes: number) => {
    streamed = bytes;
  };
  const streaming = fetchWithForm(transport, form, { sent, done: () => {} });
  const send = (init: RequestInit = {}) =>
    streaming(new Request(`https://${host}/api/convert`, { method: "POST", ...init }));
  return { send, seen, transport };
}

const AS_STREAM = { isStream: true, file: "content" };
const AS_WHOLE = { isStream: false, file: "content" };

test.each([400, 411, 501])(
  "sends the whole form, now and later, after the answer %d to the first stream",
  async (status) => {
    const { send, seen } = setUp(`answers-${status}.example`, status);
    expect((await send()).status).toBe(200);
    await send();
    expect(seen).toEqual([AS_STREAM, AS_WHOLE, AS_WHOLE]);
  },
);

test("returns 400 from a server that has accepted a stream before", async () => {
  const { send, seen } = setUp("takes-streams.example", 200, 400);
  await send();
  expect((await send()).status).toBe(400);
  expect(seen).toEqual([AS_STREAM, AS_STREAM]);
});

test("returns other errors of the server", async () => {
  const { send, seen } = setUp("is-busy.example", 503, 401);
  expect([(await send()).status, (await send()).status]).toEqual([503, 401]);
  expect(seen).toEqual([AS_STREAM, AS_STREAM]);
});

test("sends the whole form if the stream fails, as over HTTP/1.1", async () => {
  const { send, seen } = setUp("http-1.example", new TypeError("Failed to fetch"));
  expect((await send()).status).toBe(200);
  await send();
  expect(seen).toEqual([AS_STREAM, AS_WHOLE, AS_WHOLE]);
});

test("sends nothing, and nothing again, after an abort", async () => {
  const { send, transport } = setUp("aborted.example", new DOMException("", "AbortError"));
  const controller = new AbortController();
  const call = send({ signal: controller.signal });
  controller.abort();
  await expect(call).rejects.toMatchObject({ name: "AbortError" });
  expect(transport).toHaveBeenCalledOnce();
  await expect(send({ signal: controller.signal })).rejects.toMatchObject({ name: "AbortError" });
  expect(transport).toHaveBeenCalledOnce();
});

test("sends the whole form on a platform without streams", async () => {
  const { send, seen } = setUp("old-platform.example");
  const Platform = globalThis.Request;
  vi.stubGlobal(
    "Request",
    class extends Platform {
      constructor(input: RequestInfo | URL, init?: RequestInit) {
        super(input, init?.body instanceof ReadableStream ? { ...init, body: String(init.body) } : init);
      }
    },
  );
  await send();
  expect(seen).toEqual([AS_WHOLE]);
});
