import { afterEach, describe, expect, test, vi } from "vitest";
import { Pool } from "../../src/pool.ts";
import type { Job, Progress, WorkerMessage } from "../../workers/protocol.ts";
import { done, FakeFactory } from "./fake-worker.ts";

const job = (password = "secret"): Job => ({ engine: "pdf/unlock", file: new Blob(["%PDF-"]), password });

const pools: Pool[] = [];

function setUp({ maxWorkers = 1, idleMs = 30_000 } = {}) {
  const factory = new FakeFactory();
  const pool = new Pool({ source: factory, maxWorkers, idleMs });
  pools.push(pool);
  return { pool, factory };
}

afterEach(() => {
  for (const pool of pools.splice(0)) pool.close();
  vi.useRealTimers();
});

describe("a worker that may hang", () => {
  const error = { code: "input_too_large", message: "Page 7 takes too long.", details: { page: 7 } } as const;
  /** Starts a job, whose worker says something and then that it works; resolves when that has been heard. */
  async function working(pool: Pool, factory: FakeFactory, said: readonly WorkerMessage[]) {
    const told: string[] = [];
    let heard = () => {};
    const isHeard = new Promise<void>((resolve) => {
      heard = resolve;
    });
    const call = pool.run(job(), {
      onProgress: ({ phase }) => {
        told.push(phase);
        if (phase === "working") heard();
      },
    });
    const { worker, report, finish } = await factory.job(0);
    for (const message of said) report(message);
    report({ phase: "working", done: 6, total: 9 });
    await isHeard;
    return { call, worker, report, finish, told };
  }

  test("is ended when it is silent for as long as it said, and the next job gets another", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const { pool, factory } = setUp();
    const deadline = { milliseconds: 75_000, error };
    const { call, worker, told } = await working(pool, factory, [{ deadline }]);
    vi.advanceTimersByTime(74_999);
    expect(worker.hasEnded).toBe(false);
    vi.advanceTimersByTime(1);
    await expect(call).rejects.toMatchObject(error);
    expect(worker.hasEnded).toBe(true);
    // A deadline is not the caller's concern.
    expect(told).toEqual(["queued", "working"]);
    const next = pool.run(job(), {});
    (await factory.job(1)).finish(done("next"));
    expect(await (await next).text()).toBe("next");
    expect(factory.workers).toHaveLength(2);
  });

  test("is not when it is through in time", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const { pool, factory } = setUp();
    const deadline = { milliseconds: 75_000, error };
    const said = [{ deadline }, { deadline: undefined }];
    const { call, worker, report, finish } = await working(pool, factory, said);
    vi.advanceTimersByTime(1_000_000);
    report({ deadline });
    finish(done("all"));
    expect(await (await call).text()).toBe("all");
    vi.advanceTimersByTime(20_000);
    expect(worker.hasEnded).toBe(false);
  });
});

describe("jobs and workers", () => {
  test("nothing starts before the first job; a worker does one job after another", async () => {
    const { pool, factory } = setUp({ maxWorkers: 2 });
    expect(factory.workers).toHaveLength(0);
    const first = pool.run(job(), {});
    (await factory.job(0)).finish(done("first"));
    expect(await (await first).text()).toBe("first");
    const second = pool.run(job(), {});
    (await factory.job(1)).finish(done("second"));
    expect(await (await second).text()).toBe("second");
    expect(factory.workers).toHaveLength(1);
  });

  test("no more than maxWorkers at a time, and the others in the order in which they came", async () => {
    const { pool, factory } = setUp({ maxWorkers: 2 });
    const calls = ["a", "b", "c", "d", "e"].map((password) => pool.run(job(password), {}));
    const order: unknown[] = [];
    for (let index = 0; index < calls.length; index++) {
      const { job, finish } = await factory.job(index);
      order.push("password" in job && job.password);
      finish(done(String(index)));
    }
    await Promise.all(calls);
    expect(order).toEqual(["a", "b", "c", "d", "e"]);
    expect(factory.workers).toHaveLength(2);
  });

  test("the job arrives as it was sent", async () => {
    const { pool, factory } = setUp();
    const sent: Job = {
      engine: "pdf/split",
      file: new Blob(["%PDF-1.7"]),
      pages: "1,3-5",
      name: "Übersicht",
    };
    const call = pool.run(sent, {});
    const { job, finish } = await factory.job(0);
    expect(job).toMatchObject({ engine: "pdf/split", pages: "1,3-5", name: "Übersicht" });
    expect(await job.file.text()).toBe("%PDF-1.7");
    finish(done("zip"));
    await call;
  });

  test("pdf/to-images is told where the app serves fonts", async () => {
    vi.stubGlobal("location", { href: "https://app.example/tools/" });
    try {
      const factory = new FakeFactory();
      const pool = new Pool({ source: factory, maxWorkers: 2, fontUrl: "../fonts/" });
      pools.push(pool);
      const call = pool.run({ engine: "pdf/to-images", file: new Blob(), to: "jpg", name: "a" }, {});
      const { job, finish } = await factory.job(0);
      expect(job).toMatchObject({ helpers: 1, fontUrl: "https://app.example/fonts/" });
      finish(done("picture"));
      await call;
    } finally {
      vi.unstubAllGlobals();
    }
  });

  test("pdf/protect is told how many more workers may run", async () => {
    const { pool, factory } = setUp({ maxWorkers: 3 });
    const call = pool.run({ engine: "pdf/protect", file: new Blob(["%PDF-1.7"]), password: "key" }, {});
    const { job, finish } = await factory.job(0);
    expect(job).toMatchObject({ helpers: 2 });
    finish(done("locked"));
    await call;
  });

  test.each(["image/convert", "image/to-pdf"] as const)(
    "%s is told how many more workers may run",
    async (engine) => {
      const { pool, factory } = setUp({ maxWorkers: 3 });
      const run = () =>
        pool.run({ engine, file: new Blob(["heic"]), from: "heic", to: "jpg", name: "a" }, {});
      const calls = [run()];
      const first = await factory.job(0);
      calls.push(run());
      const second = await factory.job(1);
      expect([first, second].map(({ job }) => "helpers" in job && job.helpers)).toEqual([2, 1]);
      for (const { finish } of [first, second]) finish(done("picture"));
      await Promise.all(calls);
    },
  );

  test("an idle worker ends after a while, and the next job starts another", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const { pool, factory } = setUp({ idleMs: 30_000 });
    const first = pool.run(job(), {});
    (await factory.job(0)).finish(done("first"));
    await first;
    vi.advanceTimersByTime(29_000);
    const second = pool.run(job(), {});
    const { finish } = await factory.job(1);
    vi.advanceTimersByTime(100_000);
    expect(factory.workers[0]?.hasEnded).toBe(false);
    finish(done("second"));
    await second;
    vi.advanceTimersByTime(30_000);
    expect(factory.workers[0]?.hasEnded).toBe(true);
    const third = pool.run(job(), {});
    (await factory.job(2)).finish(done("third"));
    expect(await (await third).text()).toBe("third");
    expect(factory.workers).toHaveLength(2);
  });
});

describe("an aborted job", () => {
  test("ends its worker at once, rejects with the reason and leaves its place to the next", async () => {
    const { pool, factory } = setUp();
    const controller = new AbortController();
    const aborted = pool.run(job(), { signal: controller.signal });
    const next = pool.run(job("next"), {});
    await factory.job(0);
    const reason = { not: "an error" };
    controller.abort(reason);
    expect(factory.workers[0]?.hasEnded).toBe(true);
    await expect(aborted).rejects.toBe(reason);
    (await factory.job(1)).finish(done("next"));
    expect(await (await next).text()).toBe("next");
    expect(factory.workers).toHaveLength(2);
  });

  test("leaves the queue", async () => {
    const { pool, factory } = setUp();
    const running = pool.run(job("running"), {});
    const controller = new AbortController();
    const aborted = pool.run(job("aborted"), { signal: controller.signal });
    const last = pool.run(job("last"), {});
    controller.abort();
    await expect(aborted).rejects.toBe(controller.signal.reason);
    (await factory.job(0)).finish(done("running"));
    await running;
    const { job: next, finish } = await factory.job(1);
    expect(next).toMatchObject({ password: "last" });
    finish(done("last"));
    await last;
  });

  test("does no harm when it is aborted just as its turn comes", async () => {
    const { pool, factory } = setUp();
    const running = pool.run(job(), {});
    const controller = new AbortController();
    const aborted = pool.run(job("aborted"), { signal: controller.signal });
    const settled = running.then(() => controller.abort("now"));
    (await factory.job(0)).finish(done("running"));
    await settled;
    await expect(aborted).rejects.toBe("now");
    const next = pool.run(job("next"), {});
    const { job: arrived, finish } = await factory.job(factory.jobs.length);
    expect(arrived).toMatchObject({ password: "next" });
    finish(done("next"));
    await next;
  });

  test("was over before: the signal no longer matters, and is not listened to", async () => {
    const { pool, factory } = setUp();
    const controller = new AbortController();
    const removed = vi.spyOn(controller.signal, "removeEventListener");
    const added = vi.spyOn(controller.signal, "addEventListener");
    const first = pool.run(job(), { signal: controller.signal });
    const queued = pool.run(job(), { signal: controller.signal });
    (await factory.job(0)).finish(done("first"));
    await first;
    (await factory.job(1)).finish(done("second"));
    await queued;
    expect(removed).toHaveBeenCalledTimes(added.mock.calls.length);
    controller.abort();
    expect(factory.workers[0]?.hasEnded).toBe(false);
  });
});

describe("a job that fails", () => {
  test("rejects with the error as it was, and the worker stays", async () => {
    const { pool, factory } = setUp();
    const call = pool.run(job(), {});
    const error = { code: "wrong_password", message: "Wrong.", details: { attempts: 2 } } as const;
    (await factory.job(0)).finish({ ok: false, error });
    await expect(call).rejects.toMatchObject({ name: "ServiceError", status: 422, ...error });
    expect(factory.workers[0]?.hasEnded).toBe(false);
  });

  test.each(["internal_error", "out_of_memory"] as const)("with %s takes its worker along", async (code) => {
    const { pool, factory } = setUp();
    const call = pool.run(job(), {});
    (await factory.job(0)).finish({ ok: false, error: { code, message: "Bad.", details: {} } });
    await expect(call).rejects.toMatchObject({ code });
    expect(factory.workers[0]?.hasEnded).toBe(true);
  });

  test("by throwing, against the protocol, is internal_error", async () => {
    const { pool, factory } = setUp();
    const call = pool.run(job(), {});
    (await factory.job(0)).finish(Promise.reject(new TypeError("x is not a function")));
    await expect(call).rejects.toMatchObject({
      code: "internal_error",
      message: expect.stringContaining("x is not a function"),
    });
  });

  test("because it cannot be sent is internal_error", async () => {
    const { pool } = setUp();
    const unsendable = { ...job(), extra: () => {} };
    await expect(pool.run(unsendable, {})).rejects.toMatchObject({
      code: "internal_error",
      message: expect.stringContaining("DataCloneError"),
    });
  });
});

describe("a worker that fails", () => {
  const progress: Progress = { phase: "reading", done: 0, total: 0 };

  test.each([
    ["Uncaught TypeError: x is undefined", "internal_error", /x is undefined/],
    ["Uncaught Error: cannot use secret", "internal_error", /^((?!secret).)*$/],
    ["", "internal_error", /the worker crashed/],
    [undefined, "internal_error", /the worker crashed/],
    ["Uncaught RangeError: Array buffer allocation failed", "out_of_memory", /memory/],
  ])("at work (%j) is %s, and is replaced", async (said, code, message) => {
    const { pool, factory } = setUp();
    const heard = new Promise<void>((resolve) => {
      void pool
        .run(job(), {
          onProgress: ({ phase }) => {
            if (phase === "reading") resolve();
          },
        })
        .catch((error: unknown) => {
          expect(error).toMatchObject({ code, message: expect.stringMatching(message) });
        });
    });
    const next = pool.run(job(), {});
    const { worker, report } = await factory.job(0);
    report(progress);
    await heard;
    expect(worker.fail(said).defaultPrevented).toBe(true);
    expect(worker.hasEnded).toBe(true);
    (await factory.job(1)).finish(done("next"));
    expect(await (await next).text()).toBe("next");
  });

  test("to load says where it was sought, and what the browser says", async () => {
    const { pool, factory } = setUp();
    const silent = pool.run(job(), {});
    (await factory.job(0)).worker.fail();
    await expect(silent).rejects.toMatchObject({
      code: "internal_error",
      message: expect.stringContaining("could not be loaded from https://app.example/worker.js. "),
    });
    const telling = pool.run(job(), {});
    (await factory.job(1)).worker.fail("SyntaxError");
    await expect(telling).rejects.toMatchObject({ message: expect.stringContaining("(SyntaxError)") });
    const next = pool.run(job(), {});
    (await factory.job(2)).finish(done("next"));
    expect(await (await next).text()).toBe("next");
  });

  test("to be made is no different", async () => {
    const create = vi.fn<() => Worker>(() => {
      throw new DOMException("not allowed", "SecurityError");
    });
    const pool = new Pool({ source: { create, place: "https://other.example/worker.js" } });
    await expect(pool.run(job(), {})).rejects.toMatchObject({
      code: "internal_error",
      message: expect.stringMatching(/https:\/\/other\.example\/worker\.js .*not allowed/),
    });
    await expect(pool.run(job(), {})).rejects.toMatchObject({ code: "internal_error" });
    expect(create).toHaveBeenCalledTimes(2);
  });

  test("while idle is replaced, and nobody hears of it", async () => {
    const { pool, factory } = setUp();
    const first = pool.run(job(), {});
    (await factory.job(0)).finish(done("first"));
    await first;
    factory.workers[0]?.fail("late");
    expect(factory.workers[0]?.hasEnded).toBe(true);
    const next = pool.run(job(), {});
    (await factory.job(1)).finish(done("next"));
    expect(await (await next).text()).toBe("next");
  });

  test("with an answer that cannot be read is internal_error", async () => {
    const { pool, factory } = setUp();
    const call = pool.run(job(), {});
    (await factory.job(0)).worker.dispatchEvent(new Event("messageerror"));
    await expect(call).rejects.toMatchObject({ code: "internal_error" });
  });

  test("after it was ended already does no harm to its successor", async () => {
    const { pool, factory } = setUp();
    const controller = new AbortController();
    const aborted = pool.run(job(), { signal: controller.signal }).catch(() => "aborted");
    await factory.job(0);
    controller.abort();
    await aborted;
    const next = pool.run(job(), {});
    const { finish, worker } = await factory.job(1);
    factory.workers[0]?.fail("late");
    expect(worker.hasEnded).toBe(false);
    finish(done("next"));
    expect(await (await next).text()).toBe("next");
  });
});

describe("progress", () => {
  test("is told in order, from the queue on", async () => {
    const { pool, factory } = setUp();
    const told: Progress[] = [];
    let call: Promise<Blob> | undefined;
    const heard = new Promise<void>((resolve) => {
      call = pool.run(job(), {
        onProgress: (progress) => {
          told.push(progress);
          if (progress.phase === "writing") resolve();
        },
      });
    });
    expect(told).toEqual([{ phase: "queued", done: 0, total: 0 }]);
    const { report, finish } = await factory.job(0);
    report({ phase: "working", done: 3, total: 7 });
    report({ phase: "writing", done: 0, total: 0 });
    await heard;
    finish(done("file"));
    await call;
    expect(told.slice(1)).toEqual([
      { phase: "working", done: 3, total: 7 },
      { phase: "writing", done: 0, total: 0 },
    ]);
  });

  test("whose listener throws ends the job with what it threw", async () => {
    const { pool, factory } = setUp();
    const thrown = new Error("listener");
    const call = pool.run(job(), {
      onProgress: ({ phase }) => {
        if (phase === "working") throw thrown;
      },
    });
    (await factory.job(0)).report({ phase: "working", done: 0, total: 0 });
    await expect(call).rejects.toBe(thrown);
    expect(factory.workers[0]?.hasEnded).toBe(true);
    await expect(
      pool.run(job(), {
        onProgress: () => {
          throw thrown;
        },
      }),
    ).rejects.toBe(thrown);
    const next = pool.run(job(), {});
    (await factory.job(1)).finish(done("next"));
    await next;
  });
});

test("closing ends running, queued and later jobs with its reason", async () => {
  const { pool, factory } = setUp();
  const running = pool.run(job(), {});
  const queued = pool.run(job(), {});
  await factory.job(0);
  const reason = new DOMException("closed", "AbortError");
  pool.close(reason);
  expect(factory.workers[0]?.hasEnded).toBe(true);
  for (const call of [running, queued, pool.run(job(), {})]) await expect(call).rejects.toBe(reason);
  expect(factory.workers).toHaveLength(1);
});
