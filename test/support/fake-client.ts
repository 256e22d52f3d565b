import { onTestFinished } from "vitest";
import { createClient } from "../../src/client.ts";
import type { Client, ClientOptions, ServiceResult } from "../../src/index.ts";
import { FakeFactory } from "./fake-worker.ts";

/** The beginning of a PDF, which is all that the client reads. */
export const file = new File(["%PDF-1.7\n"], "C:\\Users\\me\\report.final.pdf");

/** A client and the factory of its workers, which do no work. */
export interface FakeSetUp {
  readonly client: Client;
  readonly factory: FakeFactory;
}

/** Makes a client for one test, and closes it when the test is over. */
export function setUp(options: ClientOptions = {}): FakeSetUp {
  const factory = new FakeFactory();
  const client = createClient({ createWorker: factory.create, ...options });
  onTestFinished(() => client.close());
  return { client, factory };
}

/** Calls a method of the client with parameters of any type. */
export function callOf(
  client: Client,
  method: "convert" | "protectPdf" | "unlockPdf" | "splitPdf",
  params: object,
): Promise<ServiceResult> {
  return client[method](params as never);
}
