import { onTestFinished } from "vitest";
import { createClient } from "../../src/client.ts";
import type { ClientOptions } from "../../src/index.ts";
import { FakeFactory } from "./fake-worker.ts";

/** The beginning of a PDF, which is all that the client reads. */
export const file = new File(["%PDF-1.7\n"], "C:\\Users\\me\\report.final.pdf");

/** Makes a client and the factory of its workers, which do no work, for one test. Closes the client after it. */
export function setUp(options: ClientOptions = {}) {
  const factory = new FakeFactory();
  const client = createClient({ createWorker: factory.create, ...options });
  onTestFinished(() => client.close());
  return { client, factory };
}
