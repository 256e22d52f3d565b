// The page on which tests in Firefox and WebKit call a remote service.
import { createClient } from "../../src/index.ts";
import { serveRun } from "../support/browsers/serve-run.ts";

/** The service and the target format. */
export interface RemotePageJob {
  readonly baseUrl: string;
  readonly to: string;
}

serveRun<RemotePageJob>((_, file, { baseUrl, to }) =>
  createClient({ baseUrl, apiKey: "key" }).convert({ file, output_format: to }),
);
