import { afterEach, expect, test, vi } from "vitest";
import { fetchWithForm } from "../../../../src/remote/upload.ts";

afterEach(() => {
  vi.unstubAllGlobals();
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
  const progress: (number | string)[] = [];
  const sent = (bytes: number) => {
    streamed = bytes;
    progress.push(bytes);
  };
  const streaming = fetchWithForm(transport, form, { sent, done: () => progress.push("done") });
  const send = (init: RequestInit = {}) =>
    streaming(new Request(`https://${host}/api/convert`, { method: "POST", ...init }));
  return { send, seen, progress, transport };
}

const AS_STREAM = { isStream: true, file: "content" };
const AS_WHOLE = { isStream: false, file: "content" };

test("reports how much of a stream has been sent", async () => {
  const { send, progress } = setUp("counts.example");
  await send();
  expect(progress.slice(-2)).toEqual([expect.any(Number), "done"]);
  expect(progress).toEqual([...new Set(progress)]);
});

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
