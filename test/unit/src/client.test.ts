import { resolveObjectURL } from "node:buffer";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { type Progress, ServiceError } from "../../../src/index.ts";
import { file, setUp } from "../../support/fake-client.ts";
import { done } from "../../support/fake-worker.ts";
import { refusal } from "../../support/refusal.ts";

describe("a call", () => {
  test("returns the object of the service", async () => {
    const { client, factory } = setUp();
    const call = client.splitPdf({ file, pages: "1,3-5" });
    const { job, finish } = await factory.job(0);
    expect(job).toMatchObject({ engine: "pdf/split", by: { kind: "pages", pages: "1,3-5" } });
    expect(await job.file.text()).toBe("%PDF-1.7\n");
    finish(done("made"));
    const result = await call;
    expect(result).toEqual({
      success: true,
      download_url: expect.stringMatching(/^blob:/),
      file_name: "split-report.final.zip",
    });
    expect(await resolveObjectURL(result.download_url)?.text()).toBe("made");
  });

  test("starts no worker for wrong fields, and reports the first of them", async () => {
    const { client, factory } = setUp();
    const text = new File(["just text"], "report.pdf");
    const wrong = [
      [client.splitPdf({ file: text, pages: "1", password: 7 as never }), "invalid_parameter"],
      [client.splitPdf({ file: text, pages: "1,,2" }), "invalid_page_selection"],
      [client.splitPdf({ file: text, pages: "1" }), "unsupported_input"],
      [client.protectPdf({ file, password: "" }), "invalid_parameter"],
      [client.unlockPdf({ file } as never), "missing_parameter"],
      [client.unlockPdf(undefined as never), "missing_parameter"],
      [client.convert({ file, output_format: "docx" }), "remote_not_configured"],
      [client.convert({ file, output_format: "gif" }), "unsupported_conversion"],
    ] as const;
    for (const [call, code] of wrong) {
      const error = await call.catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(ServiceError);
      expect(error).toMatchObject({ code });
    }
    expect(factory.workers).toHaveLength(0);
  });

  describe("refuses a key that it does not know", () => {
    const client = () => setUp().client;
    const password = "a";
    // TypeScript refuses them, too.
    test.each<[string, () => Promise<unknown>, string, string]>([
      [
        "protectPdf",
        // @ts-expect-error
        () => client().protectPdf({ file, password, permisions: ["print"] }),
        "permisions",
        'The field "permisions" is not known. Did you mean "permissions"?',
      ],
      [
        "unlockPdf",
        // @ts-expect-error
        () => client().unlockPdf({ file, password, pages: "1" }),
        "pages",
        'The field "pages" belongs to convert, split-pdf and merge-pdf. Leave it out.',
      ],
      [
        "splitPdf",
        // @ts-expect-error
        () => client().splitPdf({ file, pages: "1", csrf_token: "4711" }),
        "csrf_token",
        'The field "csrf_token" is not known. Leave it out.',
      ],
      [
        "mergePdf",
        // @ts-expect-error
        () => client().mergePdf({ file: [file, file], passwords: ["", "a"] }),
        "passwords",
        'Did you mean "password"?',
      ],
      [
        "convert",
        // @ts-expect-error
        () => client().convert({ file, output_format: "jpg", maxWidth: 9 }),
        "maxWidth",
        'Did you mean "max_width"?',
      ],
      [
        "inspect",
        // @ts-expect-error
        () => client().inspect({ file, outlines: true }),
        "outlines",
        'Did you mean "outline"?',
      ],
      [
        "renderPages",
        // @ts-expect-error
        () => client().renderPages({ file, output_format: "png" }).next(),
        "output_format",
        "is not known",
      ],
      [
        "an option of protectPdf",
        // @ts-expect-error
        () => client().protectPdf({ file, password }, { abort: new AbortController().signal }),
        "abort",
        'The option "abort" is not known.',
      ],
      [
        "an option of a call, which only a request has",
        // @ts-expect-error
        () => client().convert({ file, output_format: "jpg" }, { apiKey: "key" }),
        "apiKey",
        'The option "apiKey" is not known.',
      ],
      [
        "an option of inspect",
        // @ts-expect-error
        () => client().inspect({ file }, { signl: null }),
        "signl",
        'Did you mean "signal"?',
      ],
      [
        "an option of renderPages",
        // @ts-expect-error
        () => client().renderPages({ file }, { onprogress: null }).next(),
        "onprogress",
        'Did you mean "onProgress"?',
      ],
    ])("%s", async (_, call, parameter, message) => {
      await expect(call()).rejects.toThrow(refusal("invalid_parameter", { parameter }, message));
    });

    test("except when its value is undefined", async () => {
      const { client, factory } = setUp();
      const given = { file, password: "a", owner_password: undefined, permisions: undefined };
      const call = client.protectPdf(given, { signal: undefined });
      (await factory.job(0)).finish(done("made"));
      expect(await call).toMatchObject({ success: true });
    });
  });

  test("is internal_error where Blobs cannot be read, as in jsdom", async () => {
    const { client } = setUp();
    const { arrayBuffer } = Blob.prototype;
    Reflect.deleteProperty(Blob.prototype, "arrayBuffer");
    try {
      await expect(client.protectPdf({ file, password: "a" })).rejects.toMatchObject({
        code: "internal_error",
        details: { cause: expect.stringMatching(/Blob\.arrayBuffer is missing.*createMockClient/) },
      });
    } finally {
      Object.defineProperty(Blob.prototype, "arrayBuffer", { value: arrayBuffer, configurable: true });
    }
  });

  test("reports its progress", async () => {
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

describe("a result that the browser could not store", () => {
  // An empty file has no last byte, as a lost one has none that can be read.
  const lost = { ok: true, file: new Blob([], { type: "application/pdf" }) } as const;

  /** The blob URLs that are made during a test and not released. */
  function liveUrls(): ReadonlySet<string> {
    const live = new Set<string>();
    const { createObjectURL, revokeObjectURL } = URL;
    const create = vi.spyOn(URL, "createObjectURL").mockImplementation((file) => {
      const url = createObjectURL(file);
      live.add(url);
      return url;
    });
    const revoke = vi.spyOn(URL, "revokeObjectURL").mockImplementation((url) => {
      live.delete(url);
      revokeObjectURL(url);
    });
    onTestFinished(() => {
      create.mockRestore();
      revoke.mockRestore();
    });
    return live;
  }

  test("is made a second time, and only the second result has a URL", async () => {
    const live = liveUrls();
    const { client, factory } = setUp();
    const call = client.unlockPdf({ file, password: "a" });
    (await factory.job(0)).finish(lost);
    (await factory.job(1)).finish(done("made"));
    const { download_url } = await call;
    expect(await resolveObjectURL(download_url)?.text()).toBe("made");
    expect([...live]).toEqual([download_url]);
  });

  test("is out_of_memory after two attempts, and leaves no URL", async () => {
    const live = liveUrls();
    const { client, factory } = setUp();
    const call = client.unlockPdf({ file, password: "a" });
    (await factory.job(0)).finish(lost);
    (await factory.job(1)).finish(lost);
    await expect(call).rejects.toMatchObject({ code: "out_of_memory" });
    expect(factory.jobs).toHaveLength(2);
    expect([...live]).toEqual([]);
  });
});

describe("a client", () => {
  test("frees a released file, and all files when it is closed", async () => {
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
    for (const result of [first, second]) expect(() => client.blob(result)).toThrow("released");
  });

  test("erases its results by clearDownloads, and continues the running calls", async () => {
    const { client, factory } = setUp();
    const earlier = client.unlockPdf({ file, password: "a" });
    (await factory.job(0)).finish(done("earlier"));
    const { download_url } = await earlier;
    const running = client.unlockPdf({ file, password: "b" });
    const { finish } = await factory.job(1);
    await client.clearDownloads();
    expect(resolveObjectURL(download_url)).toBeUndefined();
    finish(done("later"));
    expect(await client.blob(await running).text()).toBe("later");
  });

  test("rejects running, queued and later calls with client_closed when it is closed", async () => {
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
});
