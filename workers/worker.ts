import { expose, type Remote, releaseProxy } from "comlink";
import { serviceErrorFrom } from "../src/failure.ts";
import type { helpWithTiles } from "./image/heif/tile-helper.ts";
import type { Outcome, Progress, WorkerApi } from "./protocol.ts";
import { runJob } from "./run-job.ts";
import { throttledReport } from "./throttled-report.ts";

const api: WorkerApi & { readonly helpWithTiles: typeof helpWithTiles } = {
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
  /** For another worker: this one was started by it, and not by a page. */
  async helpWithTiles(request, port) {
    const tiles = await import("./image/heif/tile-helper.ts");
    return tiles.helpWithTiles(request, port);
  },
};

expose(api);
