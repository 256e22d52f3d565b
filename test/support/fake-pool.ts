import { expect, onTestFinished } from "vitest";
import { Pool, type PoolOptions } from "../../src/pool/pool.ts";
import type { Job, Phase, Progress } from "../../src/shared/protocol.ts";
import { done, FakeFactory } from "./fake-worker.ts";

/** Returns an ordinary job. */
export function anyJob(password = "secret"): Job<"pdf/unlock"> {
  return { engine: "pdf/unlock", file: new Blob(["%PDF-"]), password };
}

/** A pool and the factory of its workers, which do no work. */
export interface FakePool {
  readonly pool: Pool;
  readonly factory: FakeFactory;
}

/** Returns a pool of fake workers, one by default. The pool is closed at the end of the test. */
export function fakePool(options: Omit<PoolOptions, "source"> = {}): FakePool {
  const factory = new FakeFactory();
  const pool = new Pool({ source: factory.create, maxWorkers: 1, ...options });
  onTestFinished(() => pool.close());
  return { pool, factory };
}

/** Runs one more job, and checks that it succeeds. `index` is its number among all jobs, from 0. */
export async function runNext({ pool, factory }: FakePool, index: number): Promise<void> {
  const next = pool.run(anyJob("next"), {});
  const { job, finish } = await factory.job(index);
  expect(job).toMatchObject({ password: "next" });
  finish(done("next"));
  expect(await (await next).text()).toBe("next");
}

/** Returns an `onProgress`, and a promise that resolves when it gets a phase. */
export function waitForPhase(phase: Phase) {
  let hear = () => {};
  const heard = new Promise<void>((resolve) => {
    hear = resolve;
  });
  const onProgress = (progress: Progress) => {
    if (progress.phase === phase) hear();
  };
  return { heard, onProgress };
}
