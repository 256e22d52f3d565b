import { afterEach, describe, expect, test, vi } from "vitest";
import { Pool } from "../../../../src/pool/pool.ts";
import { ServiceError } from "../../../../src/shared/errors.ts";
import type { WorkerMessage } from "../../../../src/shared/protocol.ts";
import { anyJob, type FakePool, fakePool, runNext, waitForPhase } from "../../../support/fake-pool.ts";
import { done } from "../../../support/fake-worker.ts";

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("a job that fails", () => {
  test("rejects with the error, and keeps the worker", async () => {
    const { pool, factory } = fakePool();
    const call = pool.run(anyJob(), {});
    const error = { code: "wrong_password", message: "Wrong.", details: { attempts: 2 } } as const;
    (await factory.job(0)).finish({ ok: false, error });
    await expect(call).rejects.toMatchObject({ name: "ServiceError", status: 422, ...error });
    expect(factory.workers[0]?.hasEnded).toBe(false);
  });

  test.each(["internal_error", "out_of_memory", "offline"] as const)(
    "with %s ends its worker",
    async (code) => {
      const { pool, factory } = fakePool();
      const call = pool.run(anyJob(), {});
      (await factory.job(0)).finish({ ok: false, error: { code, message: "Bad.", details: {} } });
      await expect(call).rejects.toMatchObject({ code });
      expect(factory.workers[0]?.hasEnded).toBe(true);
    },
  );

  describe("because its worker cannot load a file", () => {
    const error = {
      code: "internal_error",
      message: "Bad.",
      details: { url: "https://app.example/image.js" },
    } as const;

    test("runs in another worker", async () => {
      const { pool, factory } = fakePool();
      const call = pool.run(anyJob(), {});
      (await factory.job(0)).finish({ ok: false, error });
      (await factory.job(1)).finish(done("x"));
      await expect(call).resolves.toBeInstanceOf(Blob);
      expect(factory.workers.map(({ hasEnded }) => hasEnded)).toEqual([true, false]);
    });

    test("rejects if the other worker cannot load it either", async () => {
      const { pool, factory } = fakePool();
      const call = pool.run(anyJob(), {});
      (await factory.job(0)).finish({ ok: false, error });
      (await factory.job(1)).finish({ ok: false, error });
      await expect(call).rejects.toMatchObject(error);
      expect(factory.workers.map(({ hasEnded }) => hasEnded)).toEqual([true, true]);
    });
  });

  test.each([
    ["memory_bytes", true],
    ["seconds", true],
    ["pages", false],
  ])("that reaches the limit %s ends its worker: %s", async (limit, ends) => {
    const { pool, factory } = fakePool();
    const call = pool.run(anyJob(), {});
    const error = { code: "input_too_large", message: "Too large.", details: { limit } } as const;
    (await factory.job(0)).finish({ ok: false, error });
    await expect(call).rejects.toMatchObject(error);
    expect(factory.workers[0]?.hasEnded).toBe(ends);
  });

  test.each(["text/html", "image/svg+xml", ""])(
    "is internal_error if the file is of the type %j",
    async (type) => {
      const { pool, factory } = fakePool();
      const call = pool.run(anyJob(), {});
      (await factory.job(0)).finish({ ok: true, file: new Blob(["<script>"], { type }) });
      await expect(call).rejects.toMatchObject({ code: "internal_error" });
    },
  );

  test("is internal_error if an item that it delivers is of another type", async () => {
    const { pool, factory } = fakePool();
    const onDelivery = vi.fn();
    const job = {
      engine: "pdf/split-parts",
      file: new Blob(),
      by: { kind: "every", count: 1 },
      name: "a",
    } as const;
    const call = pool.run(job, { onDelivery });
    const failed = expect(call).rejects.toMatchObject({ code: "internal_error" });
    const file = new File(["<script>"], "a.html", { type: "text/html" });
    void (await factory.job(0)).report({ delivered: { file, pages: [1] } });
    await failed;
    expect(onDelivery).not.toHaveBeenCalled();
  });

  test("cannot reach properties of the page's listener by a message of comlink", async () => {
    const { pool, factory } = fakePool();
    const heard: unknown[] = [];
    const call = pool.run(anyJob(), { onProgress: (progress) => heard.push(progress) });
    const { report, finish } = await factory.job(0);
    const code = { type: "RAW", value: "globalThis.wasReached = true" };
    const message = { id: "1", type: "CONSTRUCT", path: ["constructor"], argumentList: [code] };
    expect(await report(message as unknown as WorkerMessage)).toBe(false);
    finish(done("a"));
    await call;
    expect(heard).toContainEqual(message);
  });

  test("is internal_error if the worker throws", async () => {
    const { pool, factory } = fakePool();
    const call = pool.run(anyJob(), {});
    (await factory.job(0)).finish(Promise.reject(new TypeError("x is not a function")));
    await expect(call).rejects.toMatchObject({
      code: "internal_error",
      details: { cause: expect.stringContaining("x is not a function") },
    });
  });
});

describe("a worker that fails", () => {
  test.each([
    ["Uncaught TypeError: x is undefined", "internal_error", /x is undefined/],
    ["Uncaught Error: cannot use secret", "internal_error", /^((?!secret).)*$/],
    ["", "internal_error", /the worker crashed/],
    [undefined, "internal_error", /the worker crashed/],
    ["Uncaught RangeError: Array buffer allocation failed", "out_of_memory", /undefined/],
  ])("with the message %j fails its job with %s, and is replaced", async (said, code, cause) => {
    const fake = fakePool();
    const { heard, onProgress } = waitForPhase("reading");
    const call = fake.pool.run(anyJob(), { onProgress });
    const { worker, report } = await fake.factory.job(0);
    report({ phase: "reading", done: 0, total: 0 });
    await heard;
    expect(worker.fail(said).defaultPrevented).toBe(true);
    const error = await call.catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code });
    expect(String(error instanceof ServiceError && error.details.cause)).toMatch(cause);
    expect(worker.hasEnded).toBe(true);
    await runNext(fake, 1);
  });

  test("to load fails with the message of the browser", async () => {
    const fake = fakePool();
    const { pool, factory } = fake;
    const silent = pool.run(anyJob(), {});
    (await factory.job(0)).worker.fail();
    await expect(silent).rejects.toMatchObject({
      code: "internal_error",
      details: { cause: expect.stringMatching(/^The worker could not be loaded\. /) },
    });
    const telling = pool.run(anyJob(), {});
    (await factory.job(1)).worker.fail("SyntaxError");
    await expect(telling).rejects.toMatchObject({
      details: { cause: expect.stringContaining("(SyntaxError)") },
    });
    await runNext(fake, 2);
  });

  test("to start fails with its URL and the reason", async () => {
    vi.stubGlobal("origin", "https://app.example");
    vi.stubGlobal("fetch", async () => new Response("", { status: 404 }));
    const made: unknown[] = [];
    vi.stubGlobal("Worker", function Refused(url: unknown) {
      made.push(url);
      throw new DOMException("not allowed", "SecurityError");
    });
    const source = () => new Worker("https://app.example/worker.js");
    const pool = new Pool({ source });
    await expect(pool.run(anyJob(), {})).rejects.toMatchObject({
      code: "internal_error",
      details: {
        cause: expect.stringMatching(/https:\/\/app\.example\/worker\.js .*not allowed.*status 404/),
      },
    });
    await expect(pool.run(anyJob(), {})).rejects.toMatchObject({ code: "internal_error" });
    expect(made).toEqual(["https://app.example/worker.js", "https://app.example/worker.js"]);
  });

  test("because there are no workers says that Stayput needs a browser", async () => {
    const pool = new Pool({ source: () => new Worker("worker.js") });
    await expect(pool.run(anyJob(), {})).rejects.toMatchObject({
      code: "internal_error",
      details: {
        cause: expect.stringMatching(/no Web Workers here .*Worker is not defined.*createMockClient/),
      },
    });
  });

  test("with another version fails with both versions", async () => {
    const { pool, factory } = fakePool();
    const call = pool.run(anyJob(), {});
    const { worker } = await factory.job(0);
    worker.dispatchEvent(new MessageEvent("message", { data: { stayput: "9.9.9" } }));
    await expect(call).rejects.toMatchObject({
      code: "internal_error",
      message: "This app is not up to date. Reload or restart it.",
      details: {
        version: "9.9.9",
        expected: "unbuilt",
        cause: expect.stringMatching(/version 9\.9\.9 .* version unbuilt\. .*npx stayput copy.*See https:/),
      },
    });
    expect(worker.hasEnded).toBe(true);
  });

  test("while it is idle is replaced without an error", async () => {
    const fake = fakePool();
    await runNext(fake, 0);
    fake.factory.workers[0]?.fail("late");
    expect(fake.factory.workers[0]?.hasEnded).toBe(true);
    await runNext(fake, 1);
  });

  test("with an answer that cannot be deserialized is internal_error", async () => {
    const { pool, factory } = fakePool();
    const call = pool.run(anyJob(), {});
    (await factory.job(0)).worker.dispatchEvent(new Event("messageerror"));
    await expect(call).rejects.toMatchObject({ code: "internal_error" });
  });

  test("after its end does not end its successor", async () => {
    const { pool, factory } = fakePool();
    const controller = new AbortController();
    const aborted = pool.run(anyJob(), { signal: controller.signal }).catch(() => "aborted");
    await factory.job(0);
    controller.abort();
    await aborted;
    const next = pool.run(anyJob(), {});
    const { finish, worker } = await factory.job(1);
    factory.workers[0]?.fail("late");
    expect(worker.hasEnded).toBe(false);
    finish(done("next"));
    expect(await (await next).text()).toBe("next");
  });
});

describe("a worker that may hang", () => {
  const error = { code: "input_too_large", message: "Page 7 takes too long.", details: { page: 7 } } as const;
  /** Starts a job, whose worker says something and then that it works; resolves when that has been heard. */
  async function working({ pool, factory }: FakePool, said: readonly WorkerMessage[]) {
    const told: string[] = [];
    const { heard, onProgress } = waitForPhase("working");
    const call = pool.run(anyJob(), {
      onProgress: (progress) => {
        told.push(progress.phase);
        onProgress(progress);
      },
    });
    const { worker, report, finish } = await factory.job(0);
    for (const message of said) report(message);
    report({ phase: "working", done: 6, total: 9 });
    await heard;
    return { call, worker, report, finish, told };
  }

  test("is ended at its deadline, and the next job starts another", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    const fake = fakePool();
    const deadline = { milliseconds: 75_000, error };
    const { call, worker, told } = await working(fake, [{ deadline }]);
    vi.advanceTimersByTime(74_999);
    expect(worker.hasEnded).toBe(false);
    vi.advanceTimersByTime(1);
    await expect(call).rejects.toMatchObject(error);
    expect(worker.hasEnded).toBe(true);
    // A deadline is not the caller's concern.
    expect(told).toEqual(["queued", "working"]);
    await runNext(fake, 1);
    expect(fake.factory.workers).toHaveLength(2);
  });

  test("is not ended if it withdraws the deadline", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    const deadline = { milliseconds: 75_000, error };
    const said = [{ deadline }, { deadline: undefined }];
    const { call, worker, report, finish } = await working(fakePool(), said);
    vi.advanceTimersByTime(1_000_000);
    report({ deadline });
    finish(done("all"));
    expect(await (await call).text()).toBe("all");
    vi.advanceTimersByTime(20_000);
    expect(worker.hasEnded).toBe(false);
  });
});
