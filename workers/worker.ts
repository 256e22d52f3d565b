import { expose, type Remote, releaseProxy } from "comlink";
import type { Outcome, WorkerApi, WorkerMessage } from "../src/shared/protocol.ts";
import { throttledReport } from "../src/shared/throttled-report.ts";
import { runJob } from "./engines.ts";
import type { TileRequest } from "./image/formats/heic/tile-decoder.ts";
import type { FrameRequest } from "./image/formats/jpg/mcu-row-helper.ts";
import { jobFailure } from "./io/read-failure.ts";
import { helpWithRuns, type RunsRequest } from "./pdf/security/encryption-helper.ts";
import type { PagesRequest } from "./render/page-helper.ts";

/** What workers do for workers that have started them, beside what they do for a page. */
interface HelperApi {
  helpWithTiles(request: TileRequest, port: MessagePort): Promise<void>;
  helpWithPages(request: PagesRequest, port: MessagePort): Promise<void>;
  helpWithMcuRows(request: FrameRequest, port: MessagePort): Promise<void>;
  helpWithRuns(request: RunsRequest, port: MessagePort): Promise<void>;
}

const api: WorkerApi & HelperApi = {
  async run(job, grant, onMessage: Remote<(message: WorkerMessage) => void>): Promise<Outcome> {
    let heard: Promise<unknown> = Promise.resolve();
    const tell = (message: WorkerMessage) => {
      heard = onMessage(message);
    };
    const report = throttledReport(tell);
    // Also tells the page that the worker is there.
    report("reading", 0, job.file.size);
    try {
      const file = await runJob(job, {
        ...grant,
        reader: new FileReaderSync(),
        report,
        deadline: (deadline) => tell({ deadline }),
      });
      // The outcome takes another way, and would overtake the last message, which may be of missing fonts.
      await heard;
      return { ok: true, file };
    } catch (thrown) {
      return { ok: false, error: (await jobFailure(thrown, job)).toWire() };
    } finally {
      // Otherwise every job would leave a pair of message ports behind.
      onMessage[releaseProxy]();
    }
  },
  async helpWithTiles(request, port) {
    const tiles = await import("./image/formats/heic/tile-helper.ts");
    return tiles.helpWithTiles(request, port);
  },
  async helpWithPages(request, port) {
    const pages = await import("./render/page-helper.ts");
    return pages.helpWithPages(request, port, new FileReaderSync());
  },
  async helpWithMcuRows(request, port) {
    const mcuRows = await import("./image/formats/jpg/mcu-row-helper.ts");
    return mcuRows.helpWithMcuRows(request, port);
  },
  async helpWithRuns(request, port) {
    return helpWithRuns(request, port);
  },
};

expose(api);
