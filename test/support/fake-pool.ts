import { onTestFinished } from "vitest";
import { Pool, type PoolOptions } from "../../src/pool/pool.ts";
import type { Job } from "../../src/shared/protocol.ts";
import { FakeFactory } from "./fake-worker.ts";

/** Returns an ordinary job. */
export function anyJob(password = "secret"): Job<"pdf/unlock"> {
  return { engine: "pdf/unlock", file: new Blob(["%PDF-"]), password };
}

/** Returns a pool of fake workers, one by default. The pool is closed at the end of the test. */
export function fakePool(options: Omit<PoolOptions, "source"> = {}): { pool: Pool; factory: FakeFactory } {
  const factory = new FakeFactory();
  const pool = new Pool({ source: factory.create, maxWorkers: 1, ...options });
  onTestFinished(() => pool.close());
  return { pool, factory };
}
