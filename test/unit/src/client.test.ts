import { resolveObjectURL } from "node:buffer";
import { describe, expect, test } from "vitest";
import { type Progress, ServiceError } from "../../../src/index.ts";
import { file, setUp } from "../../support/fake-client.ts";
import { done } from "../../support/fake-worker.ts";

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

  test("is internal_error where Blobs cannot be read, as in jsdom", async () => {
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
  const lost = { ok: true, file: new Blob([]) } as const;

  test("is made a second time", async () => {
    const { client, factory } = setUp();
    const call = client.unlockPdf({ file, password: "a" });
    (await factory.job(0)).finish(lost);
    (await factory.job(1)).finish(done("made"));
    expect(await resolveObjectURL((await call).download_url)?.text()).toBe("made");
  });

  test("is out_of_memory after two attempts", async () => {
    const { client, factory } = setUp();
    const call = client.unlockPdf({ file, password: "a" });
    (await factory.job(0)).finish(lost);
    (await factory.job(1)).finish(lost);
    await expect(call).rejects.toMatchObject({ code: "out_of_memory" });
    expect(factory.jobs).toHaveLength(2);
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
