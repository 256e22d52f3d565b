import { afterEach, beforeEach, expect, onTestFinished, vi } from "vitest";
import { type Client, type ClientOptions, createClient, ServiceError } from "../../src/index.ts";
import { json, type Script, ScriptedService, text } from "./fixtures/office/scripted-service.ts";
import { zipOf } from "./office-files.ts";

/** What no message, no result and no log may hold. */
export const KEY = "key-that-nobody-may-see";
/** What the service makes. */
export const PDF = "%PDF-1.7\nmade by the service\n";
export const docx = new File([zipOf(["[Content_Types].xml", "word/document.xml"])], "report.final.docx");

/** The service of the test that runs, see {@link useService}. */
export let service: ScriptedService;

/** Gives each test of a file a service of its own. */
export function useService(): void {
  beforeEach(async () => {
    service = await ScriptedService.start();
    // The shortest pauses between tries.
    vi.spyOn(Math, "random").mockReturnValue(0);
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
    await service.close();
  });
}

/** A client of the service, closed when its test ends. */
export function newClient(options: ClientOptions = {}): Client {
  const client = createClient({ baseUrl: service.url, apiKey: KEY, ...options });
  onTestFinished(() => client.close());
  return client;
}

/** What the service answers when it has made a file. */
export function answer(file_name = "report.final.pdf", path = "/download/1/x.pdf"): Script {
  return json(200, { success: true, download_url: service.url + path, file_name });
}

/** A service that does its work. */
export function working(): ScriptedService {
  return service.at("/api/convert", answer()).at("/download/1/x.pdf", text(200, PDF));
}

/** What a call fails with; the key is in none of it. */
export async function failure(call: Promise<unknown>): Promise<ServiceError> {
  const error = await call.then(
    () => new Error("the call succeeded"),
    (reason: unknown) => reason,
  );
  if (!(error instanceof ServiceError)) throw error;
  expect(`${JSON.stringify(error.toWire())} ${error.stack}`).not.toContain(KEY);
  return error;
}
