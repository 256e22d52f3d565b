import { type Client, createClient, ServiceError, type ServiceResult } from "../../../src/index.ts";
import { type PageAnswer, type PageRequest, RUN } from "./page-answer.ts";

/**
 * Offers the real client of this page to a test: fetches inputs from the test and sends results to it.
 */
export function serveRun<Job>(call: (client: Client, file: File, job: Job) => Promise<ServiceResult>): void {
  const client = createClient();

  const answer = async ({ job, inputUrl, outputUrl }: PageRequest<Job>): Promise<PageAnswer> => {
    const input = await fetch(inputUrl);
    const file = new File([await input.blob()], "corpus.any");
    const start = performance.now();
    try {
      const result = await call(client, file, job);
      const milliseconds = performance.now() - start;
      const output = await fetch(result.download_url);
      await fetch(outputUrl, { method: "POST", body: await output.blob() });
      client.release(result);
      return { kind: "file", fileName: result.file_name, milliseconds };
    } catch (error) {
      if (error instanceof ServiceError) {
        return { kind: "typed error", code: error.code, message: error.message };
      }
      return { kind: "untyped error", message: String(error) };
    }
  };

  Object.assign(window, { [RUN]: answer });
  document.title = "ready";
}
