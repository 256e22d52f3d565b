import { expose, type Remote, releaseProxy } from "comlink";
import { serviceErrorFrom } from "../src/failure.ts";
import type { Outcome, Progress, WorkerApi } from "./protocol.ts";
import { runJob } from "./run-job.ts";
import { throttledReport } from "./throttled-report.ts";

const api: WorkerApi = {
  async run(job, onProgress: Remote<(progress: Progress) => void>): Promise<Outcome> {
    const report = throttledReport(onProgress);
    // Also tells the page that the worker is there.
    report("reading", 0, job.file.size);
    try {
      return { ok: true, file: await runJob(job, new FileReaderSync(), report) };
    } catch (thrown) {
      return { ok: false, error: serviceErrorFrom(thrown, job).toWire() };
    } finally {
      // Otherwise every job would leave a pair of message ports behind.
      onProgress[releaseProxy]();
    }
  },
};

expose(api);
