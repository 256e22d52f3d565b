import { describe, expect, test } from "vitest";
import { type RenderedPage, ServiceError } from "../../../src/index.ts";
import { file, setUp } from "../../support/fake-client.ts";
import type { FakeJob } from "../../support/fake-worker.ts";

const png = new Blob(["picture"], { type: "image/png" });

/** Delivers a page as a worker does. Resolves with whether the loop wants more. */
function deliver({ report }: FakeJob, page: number): Promise<unknown> {
  return report({ delivered: { page, blob: png, width: 10, height: 20 } });
}

/** Does the job of a worker that draws so many pages. */
async function draw(job: FakeJob, count: number): Promise<void> {
  for (let page = 1; page <= count; page++) {
    if ((await deliver(job, page)) !== true) break;
  }
  job.finish({ ok: true, value: null });
}

async function numbersOf(pages: AsyncIterable<RenderedPage>): Promise<number[]> {
  const numbers: number[] = [];
  for await (const { page } of pages) numbers.push(page);
  return numbers;
}

describe("the pages of a PDF", () => {
  test("come one by one, in order, with number and size", async () => {
    const { client, factory } = setUp({ maxWorkers: 1 });
    const pages = client.renderPages({ file, pages: "1-", width: 300, format: "webp", password: "key" });
    const first = pages.next();
    const job = await factory.job(0);
    expect(job.job).toMatchObject({
      engine: "pdf/render",
      to: "webp",
      pages: "1-",
      width: 300,
      password: "key",
    });
    const drawn = draw(job, 3);
    expect(await first).toEqual({ done: false, value: { page: 1, blob: png, width: 10, height: 20 } });
    expect(await numbersOf(pages)).toEqual([2, 3]);
    await drawn;
  });

  test("are PNGs of 150 dpi by default", async () => {
    const { client, factory } = setUp({ maxWorkers: 1 });
    const numbers = numbersOf(client.renderPages({ file }));
    const job = await factory.job(0);
    expect(job.job).toMatchObject({ to: "png", width: undefined, dpi: undefined });
    await draw(job, 1);
    expect(await numbers).toEqual([1]);
  });

  test("wait in the worker until the loop takes them", async () => {
    const { client, factory } = setUp({ maxWorkers: 1 });
    const pages = client.renderPages({ file });
    const first = pages.next();
    const job = await factory.job(0);
    const answers: unknown[] = [];
    deliver(job, 1).then((answer) => answers.push(answer));
    await first;
    deliver(job, 2).then((answer) => answers.push(answer));
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(answers).toEqual([true]);
    await pages.next();
    await expect.poll(() => answers).toEqual([true, true]);
  });

  test("start no worker before the loop starts", async () => {
    const { client, factory } = setUp({ maxWorkers: 1 });
    const pages = client.renderPages({ file });
    await pages.return(undefined);
    expect(factory.workers).toEqual([]);
  });
});

describe("leaving the loop", () => {
  test("lets the worker end its page and keeps it for the next call", async () => {
    const { client, factory } = setUp({ maxWorkers: 1 });
    const left = (async () => {
      for await (const { page } of client.renderPages({ file })) if (page === 2) break;
    })();
    await draw(await factory.job(0), 9);
    await left;
    const again = numbersOf(client.renderPages({ file }));
    await draw(await factory.job(1), 1);
    expect(await again).toEqual([1]);
    expect(factory.workers).toHaveLength(1);
    expect(factory.workers[0]?.hasEnded).toBe(false);
  });

  test("ends the worker within a second if its page takes long", async () => {
    const { client, factory } = setUp({ maxWorkers: 1 });
    const left = (async () => {
      for await (const _ of client.renderPages({ file })) throw new Error("enough");
    })();
    const job = await factory.job(0);
    void deliver(job, 1);
    await expect(left).rejects.toThrow("enough");
    await expect.poll(() => job.worker.hasEnded, { timeout: 1000 }).toBe(true);
  });
});

describe("the loop throws", () => {
  test("the reason of its signal, also while pages wait", async () => {
    const { client, factory } = setUp({ maxWorkers: 1 });
    const controller = new AbortController();
    const pages = client.renderPages({ file }, { signal: controller.signal });
    const first = pages.next();
    const job = await factory.job(0);
    void deliver(job, 1);
    await first;
    void deliver(job, 2);
    const reason = new Error("the user closed the viewer");
    controller.abort(reason);
    await expect(pages.next()).rejects.toBe(reason);
    expect(job.worker.hasEnded).toBe(true);
    expect(await pages.next()).toEqual({ done: true, value: undefined });
  });

  test("the reason of a signal that is aborted before it starts or while it waits", async () => {
    const { client, factory } = setUp({ maxWorkers: 1 });
    const reason = new Error("no");
    await expect(client.renderPages({ file }, { signal: AbortSignal.abort(reason) }).next()).rejects.toBe(
      reason,
    );
    const controller = new AbortController();
    const waiting = client.renderPages({ file }, { signal: controller.signal }).next();
    await factory.job(0);
    controller.abort(reason);
    await expect(waiting).rejects.toBe(reason);
  });

  test("client_closed when the client is closed", async () => {
    const { client, factory } = setUp({ maxWorkers: 1 });
    const waiting = client.renderPages({ file }).next();
    await factory.job(0);
    client.close();
    await expect(waiting).rejects.toMatchObject({ code: "client_closed" });
    await expect(client.renderPages({ file }).next()).rejects.toMatchObject({ code: "client_closed" });
  });

  test("the error of a page after the pages before it", async () => {
    const { client, factory } = setUp({ maxWorkers: 1 });
    const taken: number[] = [];
    const loop = (async () => {
      for await (const { page } of client.renderPages({ file })) taken.push(page);
    })();
    const job = await factory.job(0);
    await deliver(job, 1);
    const error = new ServiceError("damaged_file", "Page 2 of this PDF cannot be drawn.", { page: 2 });
    job.finish({ ok: false, error: error.toWire() });
    await expect(loop).rejects.toMatchObject({ code: "damaged_file", details: { page: 2 } });
    expect(taken).toEqual([1]);
  });

  test("the error of a callback", async () => {
    const { client } = setUp({ maxWorkers: 1 });
    const onProgress = () => {
      throw new Error("a bug of the app");
    };
    await expect(client.renderPages({ file }, { onProgress }).next()).rejects.toThrow("a bug of the app");
  });

  test.each([
    [{ width: 300, dpi: 72 }, "invalid_parameter", "width"],
    [{ width: 0 }, "invalid_parameter", "width"],
    [{ width: 16_385 }, "invalid_parameter", "width"],
    [{ dpi: 2401 }, "invalid_parameter", "dpi"],
    [{ format: "gif" }, "invalid_parameter", "format"],
    [{ pages: "x" }, "invalid_page_selection", undefined],
    [{ file: undefined }, "missing_parameter", "file"],
    [{ file: new Blob(["\x89PNG\r\n\x1a\n".padEnd(40)]) }, "unsupported_input", undefined],
  ])("an error for wrong fields: %o is %s", async (fields, code, parameter) => {
    const { client, factory } = setUp({ maxWorkers: 1 });
    const next = client.renderPages({ file, ...fields } as never).next();
    await expect(next).rejects.toMatchObject({
      code,
      ...(parameter !== undefined && { details: { parameter } }),
    });
    expect(factory.workers).toEqual([]);
  });
});
