import { getEventListeners } from "node:events";
import { afterEach, describe, expect, test, vi } from "vitest";
import type { Engine, Job, Phase, Progress } from "../../../../src/shared/protocol.ts";
import { anyJob, fakePool, runNext, waitForPhase } from "../../../support/fake-pool.ts";
import { done, type FakeJob, FakeWorker } from "../../../support/fake-worker.ts";

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** A job whose engine shares its work with helpers. */
function sharedJob(): Job<"pdf/to-images"> {
  return { engine: "pdf/to-images", file: new Blob(["%PDF-1.7"]), to: "jpg", name: "a" };
}

function helpersOf({ grant }: FakeJob): number {
  return grant.helpers;
}

describe("jobs and workers", () => {
  test("comlink lets go of a worker that ends", async () => {
    const sent = vi.spyOn(FakeWorker.prototype, "postMessage");
    const fake = fakePool();
    await runNext(fake, 0);
    fake.pool.close();
    expect(sent.mock.lastCall?.[0]).toMatchObject({ type: "RELEASE" });
    sent.mockRestore();
  });

  test("starts no worker before the first job, and reuses it for the next", async () => {
    const fake = fakePool({ maxWorkers: 2 });
    expect(fake.factory.workers).toHaveLength(0);
    await runNext(fake, 0);
    await runNext(fake, 1);
    expect(fake.factory.workers).toHaveLength(1);
  });

  test("runs at most maxWorkers jobs, and the others in order", async () => {
    const { pool, factory } = fakePool({ maxWorkers: 2 });
    const calls = ["a", "b", "c", "d", "e"].map((password) => pool.run(anyJob(password), {}));
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

  test("a worker that the queue has taken is not free for a later job", async () => {
    const { pool, factory } = fakePool({ maxWorkers: 1 });
    const first = pool.run(anyJob("first"), {});
    const { heard, onProgress } = waitForPhase("working");
    const queued = pool.run(anyJob("queued"), { onProgress });
    (await factory.job(0)).finish(done("first"));
    await first;
    const second = await factory.job(1);
    const later = pool.run(anyJob("later"), {});
    // By the time that this has come from the worker, what would have gone to it at once has arrived.
    second.report({ phase: "working", done: 0, total: 0 });
    await heard;
    expect(factory.jobs).toHaveLength(2);
    second.finish(done("queued"));
    await queued;
    (await factory.job(2)).finish(done("later"));
    await later;
  });

  test.each([
    [3, 3],
    [16, 4],
    [0, 2],
  ])("with %i processors, runs %i jobs at a time", async (hardwareConcurrency, most) => {
    vi.stubGlobal("navigator", { hardwareConcurrency, maxTouchPoints: 5 });
    const { pool, factory } = fakePool({ maxWorkers: undefined });
    const call = pool.run(sharedJob(), {});
    const { grant, finish } = await factory.job(0);
    expect(grant).toMatchObject({ helpers: most - 1, touchPoints: 5 });
    finish(done("locked"));
    await call;
  });

  test.each<[Engine, number]>([
    ["pdf/to-images", 2],
    ["pdf/render", 2],
    ["pdf/merge", 2],
    ["image/convert", 2],
    ["image/to-pdf", 2],
    ["pdf/protect", 0],
    ["pdf/unlock", 0],
    ["pdf/repair", 0],
  ])("%s may start %i helpers of 3 workers", async (engine, helpers) => {
    const { pool, factory } = fakePool({ maxWorkers: 3 });
    const call = pool.run({ engine, file: new Blob() } as Job, {});
    const first = await factory.job(0);
    expect(helpersOf(first)).toBe(helpers);
    first.finish(done("file"));
    await call;
  });

  test("a job without helpers leaves them to other jobs", async () => {
    const { pool, factory } = fakePool({ maxWorkers: 4 });
    const calls = [pool.run(anyJob(), {})];
    await factory.job(0);
    calls.push(pool.run(sharedJob(), {}));
    await factory.job(1);
    expect(factory.jobs.map(helpersOf)).toEqual([0, 2]);
    for (const { finish } of factory.jobs) finish(done("file"));
    await Promise.all(calls);
  });

  test.each([
    [1, [3]],
    [2, [1, 1]],
    [3, [0, 0, 1]],
    [5, [0, 0, 0, 0]],
  ])("of %i jobs at once, the first may start %j helpers", async (count, given) => {
    const { pool, factory } = fakePool({ maxWorkers: 4 });
    const calls = Array.from({ length: count }, () => pool.run(sharedJob(), {}));
    await factory.job(given.length - 1);
    expect(factory.jobs.map(helpersOf)).toEqual(given);
    for (let index = 0; index < count; index++) (await factory.job(index)).finish(done("locked"));
    await Promise.all(calls);
  });

  test("reserves helpers until their job ends", async () => {
    const { pool, factory } = fakePool({ maxWorkers: 4 });
    const calls: Promise<Blob>[] = [];
    const begin = async () => {
      calls.push(pool.run(sharedJob(), {}));
      return factory.job(calls.length - 1);
    };
    const first = await begin();
    const second = await begin();
    first.finish(done("locked"));
    await calls[0];
    const third = await begin();
    second.finish({ ok: false, error: { code: "damaged_file", message: "damaged", details: {} } });
    await expect(calls[1]).rejects.toMatchObject({ code: "damaged_file" });
    const fourth = await begin();
    expect(factory.jobs.map(helpersOf)).toEqual([3, 0, 2, 0]);
    for (const { finish } of [third, fourth]) finish(done("locked"));
    await Promise.all([calls[2], calls[3]]);
  });

  test("frees the helpers of jobs that have ended", async () => {
    const { pool, factory } = fakePool({ maxWorkers: 4 });
    const both = [pool.run(sharedJob(), {}), pool.run(sharedJob(), {})];
    for (const index of [0, 1]) (await factory.job(index)).finish(done("locked"));
    await Promise.all(both);
    const alone = pool.run(sharedJob(), {});
    const last = await factory.job(2);
    expect(factory.jobs.map(helpersOf)).toEqual([1, 1, 3]);
    last.finish(done("locked"));
    await alone;
  });

  test("ends a worker after its idle time, and starts another for the next job", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const fake = fakePool({ idleMs: 30_000 });
    const { pool, factory } = fake;
    await runNext(fake, 0);
    vi.advanceTimersByTime(29_000);
    const second = pool.run(anyJob(), {});
    const { finish } = await factory.job(1);
    vi.advanceTimersByTime(100_000);
    expect(factory.workers[0]?.hasEnded).toBe(false);
    finish(done("second"));
    await second;
    vi.advanceTimersByTime(30_000);
    expect(factory.workers[0]?.hasEnded).toBe(true);
    await runNext(fake, 2);
    expect(factory.workers).toHaveLength(2);
  });
});

describe("progress", () => {
  test("is reported in order, from queued on", async () => {
    const { pool, factory } = fakePool();
    const told: Progress[] = [];
    const { heard, onProgress } = waitForPhase("writing");
    const call = pool.run(anyJob(), {
      onProgress: (progress) => {
        told.push(progress);
        onProgress(progress);
      },
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

  test("is not reported after the end of the job", async () => {
    const fake = fakePool();
    const told: Progress[] = [];
    const call = fake.pool.run(anyJob(), { onProgress: (progress) => told.push(progress) });
    const { report, finish } = await fake.factory.job(0);
    finish(done("file"));
    await call;
    report({ phase: "working", done: 1, total: 1 });
    // By the time that the next job has ended, that has arrived.
    await runNext(fake, 1);
    expect(told).toEqual([{ phase: "queued", done: 0, total: 0 }]);
  });

  test("ends the job with the error of the callback", async () => {
    const fake = fakePool();
    const { pool, factory } = fake;
    const thrown = new Error("listener");
    const throwAt = (wanted: Phase) => {
      const onProgress = ({ phase }: Progress) => {
        if (phase === wanted) throw thrown;
      };
      return pool.run(anyJob(), { onProgress });
    };
    const call = throwAt("working");
    (await factory.job(0)).report({ phase: "working", done: 0, total: 0 });
    await expect(call).rejects.toBe(thrown);
    expect(factory.workers[0]?.hasEnded).toBe(true);
    await expect(throwAt("queued")).rejects.toBe(thrown);
    await runNext(fake, 1);
  });
});

describe("an aborted job", () => {
  test("ends its worker at once, rejects with the reason and frees its slot", async () => {
    const { pool, factory } = fakePool();
    const controller = new AbortController();
    const aborted = pool.run(anyJob(), { signal: controller.signal });
    const next = pool.run(anyJob("next"), {});
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
    const { pool, factory } = fakePool();
    const running = pool.run(anyJob("running"), {});
    const controller = new AbortController();
    const aborted = pool.run(anyJob("aborted"), { signal: controller.signal });
    const last = pool.run(anyJob("last"), {});
    controller.abort();
    await expect(aborted).rejects.toBe(controller.signal.reason);
    (await factory.job(0)).finish(done("running"));
    await running;
    const { job: next, finish } = await factory.job(1);
    expect(next).toMatchObject({ password: "last" });
    finish(done("last"));
    await last;
  });

  test("ends at once if onProgress aborts it or closes the pool", async () => {
    const { pool, factory } = fakePool();
    const running = pool.run(anyJob("running"), {});
    const controller = new AbortController();
    const aborted = pool.run(anyJob("aborted"), {
      signal: controller.signal,
      onProgress: () => controller.abort("never mind"),
    });
    await expect(aborted).rejects.toBe("never mind");
    const reason = new DOMException("closed", "AbortError");
    const closed = pool.run(anyJob("closed"), { onProgress: () => pool.close(reason) });
    for (const call of [running, closed]) await expect(call).rejects.toBe(reason);
    expect(factory.workers).toHaveLength(1);
  });

  test("frees its slot when it is aborted just as it gets one", async () => {
    const fake = fakePool();
    const { pool, factory } = fake;
    const running = pool.run(anyJob(), {});
    const controller = new AbortController();
    const aborted = pool.run(anyJob("aborted"), { signal: controller.signal });
    const settled = running.then(() => controller.abort("now"));
    (await factory.job(0)).finish(done("running"));
    await settled;
    await expect(aborted).rejects.toBe("now");
    await runNext(fake, factory.jobs.length);
  });

  test("that has ended already removes its listeners and keeps its worker", async () => {
    const { pool, factory } = fakePool();
    const controller = new AbortController();
    const first = pool.run(anyJob(), { signal: controller.signal });
    const queued = pool.run(anyJob(), { signal: controller.signal });
    (await factory.job(0)).finish(done("first"));
    await first;
    (await factory.job(1)).finish(done("second"));
    await queued;
    expect(getEventListeners(controller.signal, "abort")).toEqual([]);
    controller.abort();
    expect(factory.workers[0]?.hasEnded).toBe(false);
  });
});

test("closing ends running, queued and later jobs with its reason", async () => {
  const { pool, factory } = fakePool();
  const running = pool.run(anyJob(), {});
  const queued = pool.run(anyJob(), {});
  await factory.job(0);
  const reason = new DOMException("closed", "AbortError");
  pool.close(reason);
  expect(factory.workers[0]?.hasEnded).toBe(true);
  for (const call of [running, queued, pool.run(anyJob(), {})]) await expect(call).rejects.toBe(reason);
  expect(factory.workers).toHaveLength(1);
});
