import { afterEach, beforeEach, expect, onTestFinished, vi } from "vitest";
import { type Client, type ClientOptions, createClient, ServiceError } from "../../src/index.ts";
import { json, type Script, ScriptedService, text } from "./fixtures/office/scripted-service.ts";
import { zipOf } from "./office-files.ts";

/** The secrets that no message, result or log may contain. */
export const KEY = "key-that-nobody-may-see";
/** The file that the service makes. */
export const PDF = "%PDF-1.7\nmade by the service\n";
export const docx = new File([zipOf(["[Content_Types].xml", "word/document.xml"])], "report.final.docx");

/** The service of the running test, see {@link useService}. */
export let service: ScriptedService;

/** Starts a new service for each test of a file. */
export function useService(): void {
  beforeEach(async () => {
    service = await ScriptedService.start();
    // Makes the pauses between retries as short as possible.
    vi.spyOn(Math, "random").mockReturnValue(0);
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
    await service.close();
  });
}

/** A client of the service. It is closed at the end of the test. */
export function newClient(options: ClientOptions = {}): Client {
  const client = createClient({ baseUrl: service.url, apiKey: KEY, ...options });
  onTestFinished(() => client.close());
  return client;
}

/** The service's response for a finished file. */
export function answer(file_name = "report.final.pdf", path = "/download/1/x.pdf"): Script {
  return json(200, { success: true, download_url: service.url + path, file_name });
}

/** Makes the service succeed. */
export function working(): ScriptedService {
  return service.at("/api/convert", answer()).at("/download/1/x.pdf", text(200, PDF));
}

/** The error of a call. Checks that it does not contain the key. */
export async function failure(call: Promise<unknown>): Promise<ServiceError> {
  const error = await call.then(
    () => new Error("the call succeeded"),
    (reason: unknown) => reason,
  );
  if (!(error instanceof ServiceError)) throw error;
  expect(`${JSON.stringify(error.toWire())} ${error.stack}`).not.toContain(KEY);
  return error;
}
