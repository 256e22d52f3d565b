import { type Client, createClient, ServiceError, type ServiceResult } from "../../../src/index.ts";
import { type PageAnswer, type PageRequest, RUN } from "./page-answer.ts";

/**
 * Lets a run outside drive the real client on this page: it fetches inputs from the run and hands outputs to it.
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
