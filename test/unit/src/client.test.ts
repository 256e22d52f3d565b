import { resolveObjectURL } from "node:buffer";
import { setMaxListeners } from "node:events";
import { afterEach, describe, expect, test, vi } from "vitest";
import { createClient } from "../../../src/client.ts";
import { type Client, type ClientOptions, type Progress, ServiceError } from "../../../src/index.ts";
import { eventually } from "../../support/eventually.ts";
import { done, FakeFactory } from "../../support/fake-worker.ts";

const file = new File(["%PDF-1.7\n"], "C:\\Users\\me\\report.final.pdf");

// Node alone warns where many calls under way listen for one signal.
setMaxListeners(0);

const clients: Client[] = [];

function setUp(options: ClientOptions = {}) {
  const factory = new FakeFactory();
  const client = createClient({ createWorker: factory.create, ...options });
  clients.push(client);
  return { client, factory };
}

afterEach(() => {
  for (const client of clients.splice(0)) client.close();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

describe("a call", () => {
  test.each([
    ["convert", { file, output_format: "PDF", pages: "1-" }, "pdf/normalize", "report.final.pdf"],
    ["protectPdf", { file, password: "a" }, "pdf/protect", "protected-report.final.pdf"],
    ["unlockPdf", { file, password: "" }, "pdf/unlock", "unlocked-report.final.pdf"],
    ["splitPdf", { file, pages: "1,3-5" }, "pdf/split", "split-report.final.zip"],
  ] as const)("%s answers what the service answers", async (method, params, engine, fileName) => {
    const { client, factory } = setUp();
    const call = callOf(client, method, params);
    const { job, finish } = await factory.job(0);
    expect(job.engine).toBe(engine);
    expect(await job.file.text()).toBe("%PDF-1.7\n");
    finish(done("made"));
    const result = await call;
    expect(result).toEqual({
      success: true,
      download_url: expect.stringMatching(/^blob:/),
      file_name: fileName,
    });
    expect(await resolveObjectURL(result.download_url)?.text()).toBe("made");
  });

  test("starts no worker for what is wrong already, and says the first thing first", async () => {
    const { client, factory } = setUp();
    const text = new File(["just text"], "report.pdf");
    const wrong = [
      [client.splitPdf({ file: text, pages: "1", password: 7 as never }), "invalid_parameter"],
      [client.splitPdf({ file: text, pages: "1,,2" }), "invalid_page_selection"],
      [client.splitPdf({ file: text, pages: "1" }), "unsupported_input"],
      [client.splitPdf({ file: new Blob([]), pages: "1" }), "unsupported_input"],
      [client.protectPdf({ file, password: "" }), "invalid_parameter"],
      [client.unlockPdf({ file } as never), "missing_parameter"],
      [client.unlockPdf(undefined as never), "missing_parameter"],
      [client.convert({ file, output_format: "docx" }), "remote_not_configured"],
      [client.convert({ file, output_format: "gif" }), "unsupported_conversion"],
      [client.convert({ file, output_format: "banana" }), "unsupported_conversion"],
    ] as const;
    for (const [call, code] of wrong) {
      const error = await call.catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(ServiceError);
      expect(error).toMatchObject({ code });
    }
    expect(factory.workers).toHaveLength(0);
  });

  test("where a Blob cannot be read, as in jsdom, says so", async () => {
    const { client } = setUp();
    const { arrayBuffer } = Blob.prototype;
    Reflect.deleteProperty(Blob.prototype, "arrayBuffer");
    try {
      await expect(client.protectPdf({ file, password: "a" })).rejects.toMatchObject({
        code: "internal_error",
        message: expect.stringMatching(/Blob\.arrayBuffer is missing.*mock/),
      });
    } finally {
      Object.defineProperty(Blob.prototype, "arrayBuffer", { value: arrayBuffer, configurable: true });
    }
  });

  test("on a Blob without a name", async () => {
    const { client, factory } = setUp();
    const call = client.splitPdf({ file: new Blob(["%PDF-1.7\n"]), pages: "1" });
    const { job, finish } = await factory.job(0);
    expect(job).toMatchObject({ name: "blob" });
    finish(done("zip"));
    expect((await call).file_name).toBe("split-blob.zip");
  });

  test("rejects with the worker's error", async () => {
    const { client, factory } = setUp();
    const call = client.unlockPdf({ file, password: "a" });
    const error = { code: "wrong_password", message: "Wrong.", details: {} } as const;
    (await factory.job(0)).finish({ ok: false, error });
    await expect(call).rejects.toMatchObject({ name: "ServiceError", ...error });
  });

  test("tells its progress", async () => {
    const { client, factory } = setUp();
    const told: Progress[] = [];
    const call = client.unlockPdf({ file, password: "a" }, { onProgress: (progress) => told.push(progress) });
    (await factory.job(0)).finish(done("made"));
    await call;
    expect(told).toEqual([
      { phase: "queued", done: 0, total: 0 },
      { phase: "writing", done: 0, total: 4 },
    ]);
  });
});

describe("inspect", () => {
  test("returns what the worker found", async () => {
    const { client, factory } = setUp();
    const call = client.inspect({ file, password: "a" });
    const { job, finish } = await factory.job(0);
    expect(job).toMatchObject({ engine: "pdf/inspect", password: "a" });
    const value = { format: "pdf", size: 9, pages: 1 } as const;
    finish({ ok: true, value });
    expect(await call).toEqual(value);
  });

  test("of an image names its format", async () => {
    const { client, factory } = setUp();
    const call = client.inspect({ file: new Blob(["GIF89a"]) });
    const { job, finish } = await factory.job(0);
    expect(job).toMatchObject({ engine: "image/inspect", from: "gif" });
    finish({ ok: true, value: { format: "gif", size: 6, images: 1 } });
    expect((await call).images).toBe(1);
  });

  test("of an office file starts no worker", async () => {
    const { client, factory } = setUp();
    expect(await client.inspect({ file: new Blob(["{\\rtf1}"]) })).toEqual({ format: "rtf", size: 7 });
    expect(factory.workers).toHaveLength(0);
  });

  test.each([
    [{}, "missing_parameter"],
    [{ file: "report.pdf" }, "invalid_parameter"],
    [{ file, password: 7 }, "invalid_parameter"],
    [{ file: new Blob(["text"]) }, "unsupported_input"],
    [{ file: new Blob([]) }, "unsupported_input"],
  ])("of %j rejects with %s", async (params, code) => {
    const { client } = setUp();
    await expect(client.inspect(params as never)).rejects.toMatchObject({ code });
  });

  test("rejects with the worker's error, with the reason of its signal, and after close()", async () => {
    const { client, factory } = setUp();
    const call = client.inspect({ file });
    const error = { code: "wrong_password", message: "Wrong.", details: {} } as const;
    (await factory.job(0)).finish({ ok: false, error });
    await expect(call).rejects.toMatchObject(error);
    const controller = new AbortController();
    const aborted = client.inspect({ file }, { signal: controller.signal });
    controller.abort("enough");
    await expect(aborted).rejects.toBe("enough");
    client.close();
    await expect(client.inspect({ file })).rejects.toMatchObject({ code: "client_closed" });
  });
});

describe("a result that the browser did not keep", () => {
  // An empty file has no last byte, as a lost one has none that can be read.
  const lost = { ok: true, file: new Blob([]) } as const;

  test("is made once more", async () => {
    const { client, factory } = setUp();
    const call = client.unlockPdf({ file, password: "a" });
    (await factory.job(0)).finish(lost);
    (await factory.job(1)).finish(done("made"));
    expect(await resolveObjectURL((await call).download_url)?.text()).toBe("made");
  });

  test("twice is out_of_memory", async () => {
    const { client, factory } = setUp();
    const call = client.unlockPdf({ file, password: "a" });
    (await factory.job(0)).finish(lost);
    (await factory.job(1)).finish(lost);
    await expect(call).rejects.toMatchObject({ code: "out_of_memory" });
    expect(factory.jobs).toHaveLength(2);
  });
});

describe("aborting", () => {
  test("before the call", async () => {
    const { client, factory } = setUp();
    const signal = AbortSignal.abort("never mind");
    await expect(client.unlockPdf({ file } as never, { signal })).rejects.toBe("never mind");
    expect(factory.workers).toHaveLength(0);
  });

  test("while the result is told to be written", async () => {
    const { client, factory } = setUp();
    const make = vi.spyOn(URL, "createObjectURL");
    const controller = new AbortController();
    const onProgress = ({ phase }: Progress) => phase === "writing" && controller.abort("never mind");
    const call = client.unlockPdf({ file, password: "a" }, { signal: controller.signal, onProgress });
    (await factory.job(0)).finish(done("made"));
    await expect(call).rejects.toBe("never mind");
    expect(make).not.toHaveBeenCalled();
  });

  test.each(["signal", "close"])("while the result is stored, by %s, leaves no URL behind", async (how) => {
    const { client, factory } = setUp();
    const controller = new AbortController();
    const urls: string[] = [];
    const makeUrl = URL.createObjectURL;
    vi.spyOn(URL, "createObjectURL").mockImplementation((made) => {
      const url = makeUrl(made);
      urls.push(url);
      queueMicrotask(() => (how === "close" ? client.close() : controller.abort("never mind")));
      return url;
    });
    const call = client.unlockPdf({ file, password: "a" }, { signal: controller.signal });
    (await factory.job(0)).finish(done("made"));
    const failure = await call.catch((thrown: unknown) => thrown);
    if (how === "close") expect(failure).toMatchObject({ code: "client_closed" });
    else expect(failure).toBe("never mind");
    expect(urls).toHaveLength(1);
    await eventually(() => expect(urls.map((url) => resolveObjectURL(url))).toEqual([undefined]));
  });

  test("while the file is looked at", async () => {
    const { client, factory } = setUp();
    const controller = new AbortController();
    const call = client.unlockPdf({ file, password: "a" }, { signal: controller.signal });
    controller.abort("never mind");
    await expect(call).rejects.toBe("never mind");
    expect(factory.workers).toHaveLength(0);
  });

  test("while the file turns out to be wrong", async () => {
    const { client } = setUp();
    const controller = new AbortController();
    const call = client.unlockPdf({ file: new Blob(["text"]), password: "a" }, { signal: controller.signal });
    controller.abort("never mind");
    await expect(call).rejects.toBe("never mind");
  });

  test("while a worker is at it", async () => {
    const { client, factory } = setUp();
    const controller = new AbortController();
    const call = client.unlockPdf({ file, password: "a" }, { signal: controller.signal });
    const { worker } = await factory.job(0);
    controller.abort();
    await expect(call).rejects.toBe(controller.signal.reason);
    expect(worker.hasEnded).toBe(true);
  });

  test("while the result is stored lets its file go", async () => {
    const { client, factory } = setUp();
    const controller = new AbortController();
    const createUrl = URL.createObjectURL;
    const urls: string[] = [];
    const spy = vi.spyOn(URL, "createObjectURL").mockImplementationOnce((made) => {
      controller.abort("never mind");
      urls.push(createUrl(made));
      return urls[0] ?? "";
    });
    const call = client.unlockPdf({ file, password: "a" }, { signal: controller.signal });
    (await factory.job(0)).finish(done("made"));
    await expect(call).rejects.toBe("never mind");
    spy.mockRestore();
    expect(urls).toHaveLength(1);
    await eventually(() => expect(urls.map((url) => resolveObjectURL(url))).toEqual([undefined]));
  });
});

describe("a file that does not come", () => {
  /** A file that is in a cloud, or on a drive that sleeps. */
  class DistantFile extends File {
    readonly #comes: Promise<unknown>;
    constructor(content: string, comes: Promise<unknown>) {
      super([content], "far.pdf");
      this.#comes = comes;
    }
    override slice(start?: number, end?: number): Blob {
      return Object.assign(super.slice(start, end), { arrayBuffer: () => this.arrayBuffer() });
    }
    override async arrayBuffer(): Promise<ArrayBuffer> {
      await this.#comes;
      return super.arrayBuffer();
    }
  }

  test.each([
    ["unlockPdf", { password: "a" }],
    ["protectPdf", { password: "a" }],
    ["splitPdf", { pages: "1" }],
    ["convert", { output_format: "jpg" }],
  ] as const)("keeps %s neither from being aborted nor from being closed", async (method, fields) => {
    const { client, factory } = setUp();
    const told: Progress[] = [];
    let come = () => {};
    const comes = new Promise<void>((resolve) => {
      come = resolve;
    });
    const params = { file: new DistantFile("%PDF-1.7\n", comes), ...fields };
    const controller = new AbortController();
    const aborted = client[method](params as never, {
      signal: controller.signal,
      onProgress: (progress) => told.push(progress),
    });
    controller.abort("never mind");
    await expect(aborted).rejects.toBe("never mind");
    const closed = callOf(client, method, params);
    client.close();
    await expect(closed).rejects.toMatchObject({ code: "client_closed" });
    // What comes too late starts nothing.
    come();
    await new Promise((later) => setImmediate(later));
    expect([told, factory.workers]).toEqual([[], []]);
  });
});

describe("the content of a file", () => {
  const small = new Uint8Array(2 * 1024 * 1024).fill(32);
  small.set(new TextEncoder().encode("%PDF-1.7\n"));
  const contentOf = async (params: object, method: "unlockPdf" | "splitPdf" | "protectPdf") => {
    const { client, factory } = setUp();
    const call = callOf(client, method, params);
    const { job, finish } = await factory.job(0);
    finish(done("made"));
    await call;
    return { content: job.content && new Uint8Array(job.content), file: job.file };
  };

  test("is read while the format is found out, where the file is small and nothing else comes first", async () => {
    const file = new Blob([small]);
    for (const [method, params] of [
      ["unlockPdf", { file, password: "a" }],
      ["splitPdf", { file, pages: "1" }],
    ] as const) {
      const { content, file: handed } = await contentOf(params, method);
      expect(content && Buffer.compare(content, small)).toBe(0);
      expect(handed.size).toBe(small.length);
    }
  });

  test("stays in the file where it is long, and where it can be read while keys are made", async () => {
    const long = new Blob([small, " "]);
    expect((await contentOf({ file: long, password: "a" }, "unlockPdf")).content).toBeUndefined();
    expect(
      (await contentOf({ file: new Blob([small]), password: "a" }, "protectPdf")).content,
    ).toBeUndefined();
  });

  test("stays in the files of calls that would wait for a worker with it", async () => {
    const { client, factory } = setUp({ maxWorkers: 1 });
    const read = vi.spyOn(Blob.prototype, "arrayBuffer");
    const calls = Array.from({ length: 50 }, () => {
      return client.unlockPdf({ file: new Blob([small]), password: "a" });
    });
    for (let index = 0; index < calls.length; index++) (await factory.job(index)).finish(done("made"));
    await Promise.all(calls);
    const whole = read.mock.contexts.filter((blob) => (blob as Blob).size === small.length);
    read.mockRestore();
    expect(whole.length).toBeGreaterThan(0);
    expect(whole.length).toBeLessThanOrEqual(4);
    const next = client.unlockPdf({ file: new Blob([small]), password: "a" });
    const { job, finish } = await factory.job(calls.length);
    expect(job.content?.byteLength).toBe(small.length);
    finish(done("made"));
    await next;
  });

  test("is handed over once: a job that runs again reads the file", async () => {
    const { client, factory } = setUp();
    const call = client.unlockPdf({ file: new Blob([small]), password: "a" });
    const first = await factory.job(0);
    expect(first.job.content?.byteLength).toBe(small.length);
    // What the browser could not store cannot be read.
    first.finish({ ok: true, file: new Blob([]) });
    const second = await factory.job(1);
    expect(second.job.content).toBeUndefined();
    second.finish(done("made"));
    expect((await call).success).toBe(true);
  });
});

describe("a client", () => {
  test("lets go of what is released, and of everything when closed", async () => {
    const { client, factory } = setUp();
    const calls = [
      client.unlockPdf({ file, password: "a" }),
      client.unlockPdf({ file, password: "b" }),
    ] as const;
    (await factory.job(0)).finish(done("first"));
    (await factory.job(1)).finish(done("second"));
    const [first, second] = await Promise.all(calls);
    client.release(first);
    expect(resolveObjectURL(first.download_url)).toBeUndefined();
    expect(resolveObjectURL(second.download_url)).toBeDefined();
    client.close();
    expect(resolveObjectURL(second.download_url)).toBeUndefined();
  });

  test("once closed rejects all calls with client_closed, wherever they are", async () => {
    const { client, factory } = setUp({ maxWorkers: 1 });
    const calls = [client.unlockPdf({ file, password: "a" }), client.unlockPdf({ file, password: "b" })];
    await factory.job(0);
    calls.push(client.unlockPdf({ file, password: "c" }));
    client.close();
    calls.push(client.unlockPdf({ file, password: "d" }), client.unlockPdf({} as never));
    for (const call of calls) await expect(call).rejects.toMatchObject({ code: "client_closed" });
    expect(factory.workers.map(({ hasEnded }) => hasEnded)).toEqual([true]);
    client.close();
  });

  test("closed while its result is looked at makes no URL", async () => {
    const { client, factory } = setUp();
    const createObjectURL = vi.spyOn(URL, "createObjectURL");
    const call = client.unlockPdf({ file, password: "a" });
    const { worker, finish } = await factory.job(0);
    worker.addEventListener("message", () => client.close());
    finish(done("made"));
    await expect(call).rejects.toMatchObject({ code: "client_closed" });
    expect(createObjectURL).not.toHaveBeenCalled();
    createObjectURL.mockRestore();
  });

  test("made and closed without a call touches nothing", () => {
    const { client, factory } = setUp();
    client.close();
    expect(factory.workers).toHaveLength(0);
  });
});

describe("options", () => {
  test.each([
    [{ baseUrl: "" }, "baseUrl"],
    [{ baseUrl: "service.example" }, "baseUrl"],
    [{ baseUrl: "/service" }, "baseUrl"],
    [{ baseUrl: "ftp://service.example" }, "baseUrl"],
    [{ baseUrl: "https://me:key@service.example" }, "baseUrl"],
    [{ baseUrl: "https://service.example?a=b" }, "baseUrl"],
    [{ baseUrl: "https://service.example#top" }, "baseUrl"],
    [{ maxWorkers: 0 }, "maxWorkers"],
    [{ maxWorkers: 1.5 }, "maxWorkers"],
    [{ maxWorkers: Number.NaN }, "maxWorkers"],
    [{ remote: "always" as never }, "remote"],
    // Where there is a page.
    [{ fontUrl: "https://" }, "fontUrl"],
  ])("%j cannot be right", (options, parameter) => {
    vi.stubGlobal("location", { href: "https://app.example/" });
    expect(() => createClient(options)).toThrow(
      expect.objectContaining({ code: "invalid_parameter", details: { parameter } }),
    );
  });

  test.each([
    {},
    { baseUrl: "https://service.example" },
    { baseUrl: "http://localhost:8080/pdf/" },
    { baseUrl: undefined, apiKey: async () => "key", remote: "never" as const },
  ])("%j are fine", (options) => {
    expect(() => createClient(options).close()).not.toThrow();
  });

  test("a worker from elsewhere is named when it cannot be made", async () => {
    vi.stubGlobal("Worker", function NoWorker() {
      throw new DOMException("not allowed", "SecurityError");
    });
    const workerUrl = new URL("https://cdn.example/worker.js");
    const { client } = setUp({ createWorker: undefined, workerUrl });
    await expect(client.unlockPdf({ file, password: "a" })).rejects.toMatchObject({
      code: "internal_error",
      message: expect.stringContaining(workerUrl.href),
    });
  });

  describe("fontUrl", () => {
    /** What an engine that draws is told. */
    async function toldFolder(
      place: { readonly baseURI?: string; readonly href: string },
      fontUrl: string | URL,
    ): Promise<unknown> {
      vi.stubGlobal("location", { href: place.href });
      vi.stubGlobal("document", place.baseURI && { baseURI: place.baseURI });
      const { client, factory } = setUp({ fontUrl });
      vi.stubGlobal("location", { href: "https://app.example/somewhere/else" });
      vi.stubGlobal("document", { baseURI: "https://app.example/somewhere/else" });
      const call = client.convert({ file, output_format: "jpg" });
      const { grant, finish } = await factory.job(0);
      finish(done("picture"));
      await call;
      return grant.fontUrl;
    }

    const page = "https://app.example/tools/42";
    test.each([
      ["of a page", { href: page, baseURI: page }, "https://app.example/tools/fonts/"],
      [
        "of a page with a base",
        { href: page, baseURI: "https://app.example/" },
        "https://app.example/fonts/",
      ],
      [
        "of a frame without an address",
        { href: "about:srcdoc", baseURI: page },
        "https://app.example/tools/fonts/",
      ],
      ["of a worker", { href: "https://app.example/js/worker.js" }, "https://app.example/js/fonts/"],
      ["of a worker made of a Blob", { href: "blob:https://app.example/1-2" }, "https://app.example/fonts/"],
    ])("%s goes by where that is when the client is made", async (_, place, folder) => {
      expect(await toldFolder(place, "fonts/")).toBe(folder);
      expect(await toldFolder(place, new URL("https://app.example/f/"))).toBe("https://app.example/f/");
    });

    test("without a base is refused at once, where there is a page", () => {
      vi.stubGlobal("location", { href: "about:blank" });
      vi.stubGlobal("document", { baseURI: "about:blank" });
      expect(() => createClient({ fontUrl: "fonts/" })).toThrow(
        expect.objectContaining({ code: "invalid_parameter", details: { parameter: "fontUrl" } }),
      );
      expect(() => createClient({ fontUrl: "https://app.example/fonts/" })).not.toThrow();
      vi.unstubAllGlobals();
      expect(() => createClient({ fontUrl: "fonts/" })).not.toThrow();
    });
  });
});

function callOf(client: Client, method: "convert" | "protectPdf" | "unlockPdf" | "splitPdf", params: object) {
  return client[method](params as never);
}
